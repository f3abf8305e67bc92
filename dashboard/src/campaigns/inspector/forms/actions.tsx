import { NativeSelect, Radio, Select, Stack } from "@mantine/core";
import type { StepOf } from "@tidings/contract/campaigns/steps";
import { LiquidField } from "../../../content/liquid/liquid-field.tsx";
import { useRead } from "../../../platform/call/queries.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { ValuesField } from "../fields/values-field.tsx";
import type { StepFormProps } from "../form.ts";
import { texts } from "../texts.ts";
import { useScope } from "../use-scope.ts";

type OnFailure = "continue" | "exit";
interface WhenFailedProps {
  value: OnFailure | undefined;
  onChange: (value: OnFailure | undefined) => void;
  off: boolean;
}

/** What becomes of a person for whom the step fails. */
export function WhenFailed({ value, onChange, off }: WhenFailedProps) {
  const t = useTexts(texts);
  return (
    <NativeSelect
      label={t("onFailure")}
      disabled={off}
      value={value ?? "continue"}
      onChange={(event) => onChange(event.currentTarget.value === "exit" ? "exit" : undefined)}
      data={[
        { value: "continue", label: t("goOn") },
        { value: "exit", label: t("leave") },
      ]}
    />
  );
}

export function UpdateForm({ step, set, errorOf, off, draft }: StepFormProps<StepOf<"update">>) {
  const t = useTexts(texts);
  const scope = useScope(draft);
  return (
    <>
      <ValuesField
        label={t("attributes")}
        description={t("valuesHint")}
        value={step.attributes}
        scope={scope}
        off={off}
        error={errorOf("attributes")}
        onChange={(attributes) => set({ attributes })}
      />
      <WhenFailed value={step.on_failure} onChange={(on_failure) => set({ on_failure })} off={off} />
    </>
  );
}

interface Named {
  id: string;
  name: string;
}

export function ListForm({ step, set, errorOf, off }: StepFormProps<StepOf<"list">>) {
  const t = useTexts(texts);
  const found = useRead<{ data: Named[] }>("/audiences", { kind: "list", limit: 200, sort: "name" });
  const isRemove = step.remove !== undefined;
  const id = (isRemove ? step.remove : step.add) ?? "";
  const name = (to: boolean, list: string) =>
    set(to ? { add: undefined, remove: list } : { add: list, remove: undefined });
  return (
    <>
      <Radio.Group
        label={t("listHow")}
        value={isRemove ? "remove" : "add"}
        onChange={(to) => name(to === "remove", id)}
      >
        <Stack gap={8} mt="xs">
          <Radio value="add" label={t("listAdd")} disabled={off} />
          <Radio value="remove" label={t("listRemove")} disabled={off} />
        </Stack>
      </Radio.Group>
      <Select
        label={t("list")}
        searchable
        disabled={off}
        value={id || null}
        error={errorOf("add") ?? errorOf("remove")}
        onChange={(to) => name(isRemove, to ?? "")}
        data={withOwn(found.data?.data, id)}
        nothingFoundMessage={t("noList")}
      />
      <WhenFailed value={step.on_failure} onChange={(on_failure) => set({ on_failure })} off={off} />
    </>
  );
}

export function WebhookForm({ step, set, errorOf, off, draft }: StepFormProps<StepOf<"webhook">>) {
  const t = useTexts(texts);
  const scope = useScope(draft);
  return (
    <>
      <LiquidField
        label={t("url")}
        description={t("urlHint", { id: step.id })}
        scope={scope}
        value={step.url ?? ""}
        readOnly={off}
        error={errorOf("url")}
        onChange={(url) => set({ url: url || undefined })}
      />
      <ValuesField
        label={t("body")}
        description={t("bodyHint")}
        value={step.body}
        scope={scope}
        off={off}
        error={errorOf("body")}
        onChange={(body) => set({ body })}
      />
      <WhenFailed value={step.on_failure} onChange={(on_failure) => set({ on_failure })} off={off} />
    </>
  );
}

export function StartForm({ step, set, errorOf, off, campaign, draft }: StepFormProps<StepOf<"start">>) {
  const t = useTexts(texts);
  const found = useRead<{ data: Named[] }>("/campaigns", { limit: 200, sort: "name" });
  const others = found.data?.data.filter(({ id }) => id !== campaign.id);
  const scope = useScope(draft);
  return (
    <>
      <Select
        label={t("campaign")}
        searchable
        disabled={off}
        value={step.campaign_id ?? null}
        error={errorOf("campaign_id")}
        onChange={(to) => set({ campaign_id: to ?? undefined })}
        data={withOwn(others, step.campaign_id ?? "")}
        nothingFoundMessage={t("noCampaign")}
      />
      <ValuesField
        label={t("data")}
        description={t("dataHint")}
        value={step.data}
        scope={scope}
        off={off}
        error={errorOf("data")}
        onChange={(data) => set({ data })}
      />
      <WhenFailed value={step.on_failure} onChange={(on_failure) => set({ on_failure })} off={off} />
    </>
  );
}

/** What can be chosen, with what is chosen: also where it is gone, or further down than the list was read. */
const withOwn = (found: Named[] = [], id: string) => [
  ...found.map((one) => ({ value: one.id, label: one.name })),
  ...(id === "" || found.some((one) => one.id === id) ? [] : [{ value: id, label: id }]),
];
