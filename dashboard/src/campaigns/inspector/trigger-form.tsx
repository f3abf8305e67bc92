import { Checkbox, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import type { Filter } from "@tidings/contract/audience/audiences";
import type { Reentry, Trigger, TriggerOf, TriggerType } from "@tidings/contract/campaigns/campaigns";
import { AudienceField } from "../../audiences/audience-field.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import type { DraftEdit } from "../editor/use-draft.ts";
import { DaysField } from "./fields/days-field.tsx";
import { AttributeField, EventField } from "./fields/event-field.tsx";
import { SpanField } from "./fields/span-field.tsx";
import { WhereField } from "./fields/where-field.tsx";
import { withFields } from "./form.ts";
import css from "./inspector.module.css";
import { triggerTexts as texts } from "./trigger-texts.ts";

interface Props {
  draft: DraftEdit;
  /** The problem at a pointer into the campaign without the first slash. */
  errorOf: (pointer: string) => string | undefined;
}

const types = ["event", "audience", "date", "recurring", "api"] as const satisfies readonly TriggerType[];

/** Makes a trigger of another type. It takes over the audience and the time of day, and nothing else. */
function triggerOfType(type: TriggerType, before: Trigger): Trigger {
  const at = "at" in before && before.at !== undefined ? before.at : "09:00";
  const audience = "audience_id" in before ? before.audience_id : undefined;
  switch (type) {
    case "event":
      return { type, name: "" };
    case "audience":
      return { type, ...(audience && { audience_id: audience }) };
    case "date":
      return { type, attribute: "", at };
    case "recurring":
      return { type, days: ["mon"], at, audience_id: audience ?? "" };
    case "api":
      return { type };
  }
}

/** Who enters, when, and how often. */
export function TriggerForm({ draft, errorOf }: Props) {
  const t = useTexts(texts);
  const { values, off } = draft;
  const { trigger, reentry } = values;
  const set = (to: Trigger, what?: string) => draft.change({ trigger: to }, what && `trigger ${what}`);
  const reentryKind = typeof reentry === "string" ? reentry : "after";
  return (
    <>
      <NativeSelect
        label={t("by")}
        disabled={off}
        value={trigger.type}
        onChange={(event) => set(triggerOfType(event.currentTarget.value as TriggerType, trigger))}
        data={types.map((value) => ({ value, label: t(`by_${value}`) }))}
      />
      <OfType trigger={trigger} set={set} errorOf={errorOf} off={off} />
      <NativeSelect
        label={t("reentry")}
        disabled={off}
        value={reentryKind}
        onChange={(event) => {
          const to = event.currentTarget.value;
          const next: Reentry = to === "after" ? { after: { amount: 1, unit: "days" } } : (to as "once" | "always");
          draft.change({ reentry: next });
        }}
        data={(["once", "always", "after"] as const).map((value) => ({ value, label: t(`reentry_${value}`) }))}
      />
      {typeof reentry !== "string" && (
        <SpanField
          label={t("reentryAfter")}
          value={reentry.after}
          off={off}
          error={errorOf("reentry/after")}
          onChange={(after) => after && draft.change({ reentry: { after } }, "reentry")}
        />
      )}
      {trigger.type !== "audience" && trigger.type !== "api" && (
        <SpanField
          label={t("maxAge")}
          description={t("maxAgeHint")}
          value={values.entry_max_age}
          off={off}
          error={errorOf("entry_max_age")}
          onChange={(age) => age && draft.change({ entry_max_age: age }, "entry_max_age")}
        />
      )}
    </>
  );
}

interface OfTypeProps<T extends Trigger = Trigger> {
  trigger: T;
  set: (trigger: Trigger, what?: string) => void;
  errorOf: (pointer: string) => string | undefined;
  off: boolean;
}

function OfType({ trigger, set, errorOf, off }: OfTypeProps) {
  const t = useTexts(texts);
  switch (trigger.type) {
    case "event":
      return (
        <>
          <EventField
            label={t("event")}
            value={trigger.name}
            off={off}
            error={errorOf("trigger/name")}
            onChange={(name) => set({ ...trigger, name }, "name")}
          />
          <WhereField
            event={trigger.name}
            value={trigger.where}
            off={off}
            errorOf={(pointer) => errorOf(`trigger/where${pointer}`)}
            onChange={(where) => set(withFields(trigger, { where }), "where")}
          />
        </>
      );
    case "audience":
      return <AudienceTrigger trigger={trigger} set={set} errorOf={errorOf} off={off} />;
    case "date":
      return <DateTrigger trigger={trigger} set={set} errorOf={errorOf} off={off} />;
    case "recurring":
      return (
        <>
          <DaysField
            label={t("days")}
            value={trigger.days}
            off={off}
            error={errorOf("trigger/days")}
            onChange={(days) => days.length > 0 && set({ ...trigger, days })}
          />
          <At
            value={trigger.at}
            onChange={(at) => at && set({ ...trigger, at })}
            error={errorOf("trigger/at")}
            off={off}
          />
          <fieldset className={css.bare} disabled={off}>
            <AudienceField
              label={t("audience")}
              own={false}
              value={{ audience_id: trigger.audience_id || undefined }}
              error={errorOf("trigger/audience_id")}
              onChange={({ audience_id = "" }) => set({ ...trigger, audience_id })}
            />
          </fieldset>
        </>
      );
    case "api":
      return <p className="quiet">{t("api")}</p>;
  }
}

function AudienceTrigger({ trigger, set, errorOf, off }: OfTypeProps<TriggerOf<"audience">>) {
  const t = useTexts(texts);
  return (
    <>
      <fieldset className={css.bare} disabled={off}>
        <AudienceField
          label={t("audience")}
          value={trigger as { audience_id?: string; audience?: Record<string, unknown> } as { audience?: Filter }}
          error={errorOf("trigger/audience_id")}
          errorOf={(pointer) => errorOf(`trigger/audience${pointer}`)}
          onChange={({ audience_id, audience }) =>
            set(
              withFields(trigger, { audience_id, audience: audience as Record<string, unknown> | undefined }),
              "audience",
            )
          }
        />
      </fieldset>
      <Checkbox
        label={t("existing")}
        disabled={off}
        checked={trigger.existing ?? false}
        onChange={(event) => set({ ...trigger, existing: event.currentTarget.checked })}
      />
    </>
  );
}

function DateTrigger({ trigger, set, errorOf, off }: OfTypeProps<TriggerOf<"date">>) {
  const t = useTexts(texts);
  const { offset } = trigger;
  return (
    <>
      <AttributeField
        label={t("attribute")}
        value={trigger.attribute}
        off={off}
        error={errorOf("trigger/attribute")}
        onChange={(attribute) => set({ ...trigger, attribute }, "attribute")}
      />
      <NativeSelect
        label={t("when")}
        disabled={off}
        value={offset?.direction ?? "on"}
        onChange={(event) => {
          const to = event.currentTarget.value;
          const { offset: _, ...rest } = trigger;
          const span = offset ?? { amount: 1, unit: "days" as const };
          set(to === "on" ? rest : { ...trigger, offset: { ...span, direction: to as "before" | "after" } });
        }}
        data={[
          { value: "on", label: t("whenOn") },
          { value: "before", label: t("whenBefore") },
          { value: "after", label: t("whenAfter") },
        ]}
      />
      {offset && (
        <NumberInput
          label={t("howManyDays")}
          min={1}
          max={100_000}
          allowDecimal={false}
          disabled={off}
          value={offset.amount}
          error={errorOf("trigger/offset/unit") ?? errorOf("trigger/offset/amount")}
          onChange={(amount) =>
            typeof amount === "number" && set({ ...trigger, offset: { ...offset, unit: "days", amount } }, "offset")
          }
        />
      )}
      <At
        value={trigger.at ?? ""}
        onChange={(at) => set(withFields(trigger, { at: at || undefined }))}
        error={errorOf("trigger/at")}
        off={off}
      />
      <Checkbox
        label={t("yearly")}
        disabled={off}
        checked={trigger.yearly ?? false}
        onChange={(event) => set({ ...trigger, yearly: event.currentTarget.checked })}
      />
    </>
  );
}

interface AtProps {
  value: string;
  onChange: (at: string) => void;
  error: string | undefined;
  off: boolean;
}

const At = ({ value, onChange, error, off }: AtProps) => {
  const t = useTexts(texts);
  return (
    <TextInput
      type="time"
      label={t("at")}
      description={t("atHint")}
      value={value}
      disabled={off}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
};
