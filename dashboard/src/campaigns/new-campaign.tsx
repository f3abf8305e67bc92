import { Radio, Stack, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Trigger, TriggerType } from "@tidings/contract/campaigns/campaigns";
import { useWorkspace } from "../platform/call/workspace.ts";
import { FormDialog } from "../platform/form/dialog.tsx";
import { useForm } from "../platform/form/form.ts";
import { useTexts } from "../platform/language/texts.ts";
import type { Campaign } from "./campaign-shape.ts";
import { texts } from "./texts.ts";

const types = ["event", "audience", "date", "recurring", "api"] as const satisfies readonly TriggerType[];

/** Returns a trigger that the service accepts in a draft. What else it needs is filled in on the campaign's page. */
function triggerFor(type: TriggerType, named: string): Trigger {
  switch (type) {
    case "event":
      return { type, name: named };
    case "date":
      return { type, attribute: named, at: "09:00" };
    case "recurring":
      return { type, days: ["mon"], at: "09:00", audience_id: "" };
    default:
      return { type };
  }
}

interface NewCampaignValues extends Record<string, unknown> {
  name: string;
  type: TriggerType;
  named: string;
}
const bodyOf = ({ name, type, named }: NewCampaignValues) => ({ name, trigger: triggerFor(type, named), steps: [] });

/** Asks for a name and for who enters, and opens the new campaign. */
export function NewCampaign({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const { id: workspace, call } = useWorkspace();
  const navigate = useNavigate();
  const empty: NewCampaignValues = { name: "", type: "event", named: "" };
  const form = useForm(
    empty,
    async (values) => {
      const { body: made } = await call<Campaign>("POST", "/campaigns", { body: bodyOf(values) });
      await navigate({ to: "/w/$workspace/campaigns/$id", params: { workspace, id: made.id } });
    },
    (pointer) => (/^\/trigger\/(?:name|attribute)$/.test(pointer) ? "named" : pointer.slice(1)),
  );
  const { type } = form.values;
  return (
    <FormDialog
      title={t("newCampaign")}
      form={form}
      yes={t("create")}
      onClose={onClose}
      asCall={{ method: "POST", path: "/api/v1/campaigns", node: "campaigns.create", body: bodyOf(form.values) }}
    >
      <TextInput label={t("name")} data-autofocus required withAsterisk={false} {...form.text("name")} />
      <Radio.Group
        label={t("entersBy")}
        value={type}
        onChange={(value) => form.set("type", value as TriggerType)}
        error={form.errorOf("type")}
      >
        <Stack gap={8} mt="xs">
          {types.map((value) => (
            <Radio key={value} value={value} label={t(`by_${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {type === "event" && (
        <TextInput
          label={t("event")}
          description={t("eventHint")}
          required
          withAsterisk={false}
          {...form.text("named")}
        />
      )}
      {type === "date" && <TextInput label={t("attribute")} required withAsterisk={false} {...form.text("named")} />}
    </FormDialog>
  );
}
