import type { EventFilter, MessageFilter, SubscribedFilter } from "@tidings/contract/audience/audiences";
import { NativeSelect } from "@mantine/core";
import { useTexts } from "../../../platform/language/texts.ts";
import { Source } from "../../../platform/look/parts.tsx";
import css from "../builder.module.css";
import { useAttributes, useProperties } from "../fields/catalog.ts";
import { ComparisonFields } from "../fields/comparison.tsx";
import { EventFields } from "./event-fields.tsx";
import { MessageFields } from "./message-fields.tsx";
import { NameField } from "../fields/name-field.tsx";
import { PickField } from "../fields/pick-field.tsx";
import { SubscribedFields } from "./subscribed-fields.tsx";
import { type Draft, kindOf, outcomes } from "../model/conditions.ts";
import { type Path, pointerOf, replaced } from "../model/tree.ts";
import { type ConditionProps, useBuilding } from "../state.ts";
import { fieldTexts, texts } from "../texts.ts";

type Fields = Record<string, unknown>;

/** The fields of one condition. */
export function Condition({ condition, at }: { condition: Fields; at: Path }) {
  const t = useTexts(texts);
  const { root, change, errorOf: errorAt } = useBuilding();
  const kind = kindOf(condition);
  const pointer = pointerOf(at);
  const of: ConditionProps = {
    value: condition,
    onChange: (value) => change(replaced(root, at, value)),
    errorOf: (field) => errorAt(`${pointer}${field}`),
  };
  const whole = errorAt(pointer);
  return (
    <>
      <div className={css.line}>
        {kind === "attribute" && <AttributeFields {...of} />}
        {kind === "event" && <EventFields {...(of as unknown as ConditionProps<EventFilter>)} />}
        {kind === "message" && <MessageFields {...(of as unknown as ConditionProps<MessageFilter>)} />}
        {kind === "subscribed" && <SubscribedFields {...(of as unknown as ConditionProps<SubscribedFilter>)} />}
        {kind === "audience" && <AudienceFields {...of} />}
        {kind === "trigger" && <TriggerFields {...of} />}
        {kind === "step" && <StepFields {...of} />}
        {!kind && (
          <div className={css.unknown}>
            <p className={css.hint}>{t("unknown")}</p>
            <Source text={JSON.stringify(condition, null, 2)} />
          </div>
        )}
      </div>
      {whole && (
        <p className={css.error} role="alert">
          {whole}
        </p>
      )}
    </>
  );
}

function AttributeFields({ value, onChange, errorOf }: ConditionProps) {
  const t = useTexts(fieldTexts);
  const attribute = String(value.attribute);
  const known = useAttributes(attribute);
  return (
    <>
      <NameField
        label={t("nameAttribute")}
        value={attribute}
        onChange={(name) => onChange({ ...value, attribute: name })}
        suggestions={known.suggestions}
        unknown={known.sure && !known.field}
        error={errorOf("/attribute")}
      />
      <ComparisonFields
        value={value as unknown as Draft}
        onChange={(draft) => onChange({ attribute, ...draft })}
        known={known}
        errorOf={errorOf}
      />
    </>
  );
}

function TriggerFields({ value, onChange, errorOf }: ConditionProps) {
  const t = useTexts(fieldTexts);
  const { extra } = useBuilding();
  const trigger = String(value.trigger);
  const known = useProperties(extra.trigger?.event, trigger);
  const declared = (extra.trigger?.fields ?? []).filter((name) => !known.suggestions.some((one) => one.value === name));
  return (
    <>
      <NameField
        label={t("nameTrigger")}
        value={trigger}
        onChange={(name) => onChange({ ...value, trigger: name })}
        suggestions={[...known.suggestions, ...declared.map((name) => ({ value: name }))]}
        unknown={known.sure && !known.field && !declared.includes(trigger)}
        error={errorOf("/trigger")}
      />
      <ComparisonFields
        value={value as unknown as Draft}
        onChange={(draft) => onChange({ trigger, ...draft })}
        known={known}
        errorOf={errorOf}
      />
    </>
  );
}

function StepFields({ value, onChange, errorOf }: ConditionProps) {
  const t = useTexts(fieldTexts);
  const steps = useBuilding().extra.steps ?? [];
  const step = String(value.step);
  const choices = steps.map(({ id, label }) => ({ value: id, label: label ?? id }));
  const isKnown = steps.some(({ id }) => id === step);
  return (
    <>
      <NativeSelect
        className={css.field ?? ""}
        aria-label={t("chooseStep")}
        value={step}
        onChange={(event) => onChange({ ...value, step: event.currentTarget.value })}
        data={[...(isKnown ? [] : [{ value: step, label: step || t("choose"), disabled: step === "" }]), ...choices]}
        error={errorOf("/step") ?? (steps.length === 0 ? t("noSteps") : undefined)}
      />
      <NativeSelect
        aria-label={t("behaviour")}
        value={String(value.op)}
        onChange={(event) => onChange({ ...value, op: event.currentTarget.value })}
        data={outcomes.map((one) => ({ value: one, label: t(one) }))}
        error={errorOf("/op")}
      />
    </>
  );
}

const AUDIENCES = [{ path: "/audiences" }] as const;

function AudienceFields({ value, onChange, errorOf }: ConditionProps) {
  const t = useTexts(fieldTexts);
  return (
    <>
      <span className={css.word}>{t("isIn")}</span>
      <PickField
        label={t("chooseAudience")}
        lists={AUDIENCES}
        value={String(value.audience)}
        onChange={(audience) => onChange({ audience: audience ?? "" })}
        error={errorOf("/audience")}
      />
    </>
  );
}
