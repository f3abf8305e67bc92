import { Button, Fieldset, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { stepsIn } from "@tidings/contract/campaigns/journey";
import { PersonField } from "../../../find-person/person-field.tsx";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import type { Draft } from "../../campaign-shape.ts";
import css from "../simulate.module.css";
import { texts } from "../texts.ts";
import { useAttributes } from "./catalog.ts";
import { HappeningFields } from "./happening-fields.tsx";
import { PairsField } from "./pairs-field.tsx";
import { ResponseFields } from "./response-fields.tsx";
import type { HappeningValues, SimulationValues } from "./values.ts";

interface SimulationFormProps {
  draft: Draft;
  values: SimulationValues;
  onChange: (values: SimulationValues) => void;
  busy: boolean;
  onRun: () => void;
}

/** Who goes through the journey, and what happens meanwhile. */
export function SimulationForm({ draft, values, onChange, busy, onRun }: SimulationFormProps) {
  const t = useTexts(texts);
  const set = (changed: Partial<SimulationValues>) => onChange({ ...values, ...changed });
  const attributes = useAttributes();
  const calls = stepsIn(draft.steps).filter(({ type }) => type === "webhook");
  const nobody = values.who === "real" && values.person === "";
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (!nobody) onRun();
      }}
    >
      <Fieldset legend={t("who")} variant="unstyled">
        <Stack gap="xs">
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label={t("who")}
            value={values.who}
            onChange={(who) => set({ who: who as SimulationValues["who"] })}
            data={(["made_up", "real"] as const).map((value) => ({ value, label: t(value) }))}
          />
          {values.who === "real" ? (
            <PersonField
              label={t("person")}
              description={t("realHint")}
              value={values.person}
              onChange={(person) => set({ person })}
            />
          ) : (
            <PairsField
              label={t("attribute")}
              add={t("add")}
              value={values.attributes}
              onChange={(to) => set({ attributes: to })}
              {...attributes}
            />
          )}
        </Stack>
      </Fieldset>
      <TextInput
        size="xs"
        type="datetime-local"
        label={t("start")}
        value={values.start}
        onChange={({ currentTarget }) => set({ start: currentTarget.value })}
      />
      {draft.trigger.type === "api" && (
        <Fieldset legend={t("data")} variant="unstyled">
          <PairsField
            label={t("data")}
            add={t("add")}
            value={values.data}
            onChange={(data) => set({ data })}
            names={[]}
          />
        </Fieldset>
      )}
      <Happenings draft={draft} values={values} set={set} />
      {calls.length > 0 && (
        <ResponseFields
          steps={calls.map(({ id }) => id)}
          value={values.responses}
          onChange={(responses) => set({ responses })}
        />
      )}
      <div>
        <Button type="submit" loading={busy} disabled={nobody} leftSection={<Icon name="play" size={14} />}>
          {t("simulate")}
        </Button>
        {nobody && <p className="quiet">{t("choosePerson")}</p>}
      </div>
    </form>
  );
}

interface HappeningsProps extends Pick<SimulationFormProps, "draft" | "values"> {
  set: (changed: Partial<SimulationValues>) => void;
}

function Happenings({ draft: { steps }, values: { happenings, start }, set }: HappeningsProps) {
  const t = useTexts(texts);
  const put = (kind: HappeningValues["kind"]) => {
    const last = happenings.at(-1);
    const key = Math.max(0, ...happenings.map((one) => one.key)) + 1;
    const at = last?.at || start;
    set({ happenings: [...happenings, { key, at, kind, event: "", properties: [], step: "", happened: "seen" }] });
  };
  const hasMessages = stepsIn(steps).some(({ type }) => type === "message");
  return (
    <Fieldset legend={t("happens")} variant="unstyled">
      <p className={`${css.hint} quiet`}>{t("happensHint")}</p>
      <ol className={css.happenings}>
        {happenings.map((one) => (
          <HappeningFields
            key={one.key}
            steps={steps}
            value={one}
            onChange={(to) => set({ happenings: happenings.map((other) => (other.key === one.key ? to : other)) })}
            onRemove={() => set({ happenings: happenings.filter(({ key }) => key !== one.key) })}
          />
        ))}
      </ol>
      <div className={css.adds}>
        <Button variant="default" size="compact-sm" onClick={() => put("event")}>
          {t("addEvent")}
        </Button>
        {hasMessages && (
          <Button variant="default" size="compact-sm" onClick={() => put("outcome")}>
            {t("addOutcome")}
          </Button>
        )}
      </div>
    </Fieldset>
  );
}
