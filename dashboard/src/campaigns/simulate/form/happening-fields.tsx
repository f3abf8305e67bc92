import { ActionIcon, Autocomplete, NativeSelect, TextInput } from "@mantine/core";
import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { Step } from "@tidings/contract/campaigns/steps";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import { useStepNames } from "../../operate/steps.ts";
import css from "../simulate.module.css";
import { texts } from "../texts.ts";
import { useEventNames, useProperties } from "./catalog.ts";
import { PairsField } from "./pairs-field.tsx";
import type { HappeningValues } from "./values.ts";

interface HappeningFieldsProps {
  steps: Step[];
  value: HappeningValues;
  onChange: (value: HappeningValues) => void;
  onRemove: () => void;
}

const outcomes = ["seen", "clicked", "failed"] as const;

/** One event of the person with its properties, or what becomes of a message, and when. */
export function HappeningFields({ steps, value, onChange, onRemove }: HappeningFieldsProps) {
  const t = useTexts(texts);
  const set = (changed: Partial<HappeningValues>) => onChange({ ...value, ...changed });
  return (
    <li className={css.happening}>
      <div className={css.happeningHead}>
        <TextInput
          size="xs"
          type="datetime-local"
          label={t("at")}
          value={value.at}
          onChange={({ currentTarget }) => set({ at: currentTarget.value })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={`${t("takeAway")}: ${value.kind === "event" ? value.event : value.step}`}
          onClick={onRemove}
        >
          <Icon name="close" size={14} />
        </ActionIcon>
      </div>
      {value.kind === "event" ? (
        <EventFields value={value} set={set} />
      ) : (
        <OutcomeFields steps={steps} value={value} set={set} />
      )}
    </li>
  );
}

interface PartProps {
  value: HappeningValues;
  set: (changed: Partial<HappeningValues>) => void;
}

function EventFields({ value: { event, properties }, set }: PartProps) {
  const t = useTexts(texts);
  const names = useEventNames();
  const known = useProperties(event, names);
  return (
    <>
      <Autocomplete
        size="xs"
        label={t("event")}
        maxLength={200}
        value={event}
        onChange={(to) => set({ event: to })}
        data={names}
        limit={30}
      />
      <PairsField
        label={t("property")}
        add={t("addProperty")}
        value={properties}
        onChange={(to) => set({ properties: to })}
        {...known}
      />
    </>
  );
}

function OutcomeFields({ steps, value: { step, happened }, set }: PartProps & { steps: Step[] }) {
  const t = useTexts(texts);
  const nameOf = useStepNames(steps);
  const messages = stepsIn(steps).filter(({ type }) => type === "message");
  return (
    <div className={css.outcome}>
      <NativeSelect
        size="xs"
        label={t("message")}
        value={step}
        onChange={({ currentTarget }) => set({ step: currentTarget.value })}
        data={[{ value: "", label: "" }, ...messages.map(({ id }) => ({ value: id, label: nameOf(id) }))]}
      />
      <NativeSelect
        size="xs"
        label={t("happened")}
        value={happened}
        onChange={({ currentTarget }) => set({ happened: currentTarget.value as (typeof outcomes)[number] })}
        data={outcomes.map((one) => ({ value: one, label: t(one) }))}
      />
    </div>
  );
}
