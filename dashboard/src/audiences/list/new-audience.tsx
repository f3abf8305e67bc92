import type { Filter } from "@tidings/contract/audience/audiences";
import { Radio, Stack, TextInput } from "@mantine/core";
import { queries } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useForm } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import type { Audience } from "../audience.ts";
import { pointedErrors } from "../builder/errors.ts";
import { FilterBuilder } from "../builder/filter-builder.tsx";
import { LiveCount } from "../live-count.tsx";
import { texts } from "../texts.ts";
import { useCount } from "../use-count.ts";

interface NewAudienceProps {
  onClose: () => void;
  onMade: (id: string) => void;
}
interface Made extends Record<string, unknown> {
  name: string;
  kind: Audience["kind"];
  filter: Filter | null;
}

const bodyOf = ({ name, kind, filter }: Made) => ({ name, kind, ...(kind === "filter" && filter && { filter }) });

/** Makes an audience of conditions, or an empty list. */
export function NewAudience({ onClose, onMade }: NewAudienceProps) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const nothing: Made = { name: "", kind: "filter", filter: null };
  const form = useForm(nothing, async (values) => {
    const made = await open.call<Audience>("POST", "/audiences", { body: bodyOf(values) });
    void queries.invalidateQueries({ queryKey: [open.id, "/audiences"] });
    onMade(made.body.id);
  });
  const { kind, filter } = form.values;
  const counted = useCount(kind === "filter" ? filter : null);
  const counting = pointedErrors(counted.error, "/filter");
  const asCall = {
    method: "POST",
    path: "/api/v1/audiences",
    node: "audiences.create",
    body: bodyOf(form.values),
  } as const;
  return (
    <FormDialog title={t("newAudience")} form={form} yes={t("create")} onClose={onClose} size="xl" asCall={asCall}>
      <TextInput
        label={t("name")}
        required
        withAsterisk={false}
        maxLength={200}
        data-autofocus
        {...form.text("name")}
      />
      <Radio.Group
        label={t("kind")}
        value={kind}
        onChange={(value) => form.set("kind", value as Audience["kind"])}
        error={form.errorOf("kind")}
      >
        <Stack gap={8} mt="xs">
          <Radio value="filter" label={t("filter")} description={t("about_filter")} />
          <Radio value="list" label={t("list")} description={t("about_list")} />
        </Stack>
      </Radio.Group>
      {kind === "filter" && (
        <>
          <FilterBuilder
            value={filter}
            onChange={(next) => form.set("filter", next)}
            errorOf={(pointer) => form.errorAt(`/filter${pointer}`) ?? counting(pointer)}
          />
          {filter && <LiveCount of={counted} />}
        </>
      )}
    </FormDialog>
  );
}
