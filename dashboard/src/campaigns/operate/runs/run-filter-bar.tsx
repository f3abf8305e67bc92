import { Button, NativeSelect } from "@mantine/core";
import { stepsIn } from "@tidings/contract/campaigns/journey";
import { PersonField } from "../../../find-person/person-field.tsx";
import { runTexts } from "../../../people/runs/run-texts.ts";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import { Choice } from "../../../platform/look/parts.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import css from "../operate.module.css";
import { type RunFilters, runStatuses, stepStates } from "../search.ts";
import { useStepNames } from "../steps.ts";
import { texts } from "./texts.ts";

interface RunFilterBarProps {
  campaign: Campaign;
  filters: RunFilters;
  onChange: (filters: RunFilters) => void;
}

/** Chooses runs by person, step and status. */
export function RunFilterBar({ campaign, filters, onChange }: RunFilterBarProps) {
  const t = useTexts(texts);
  const say = useTexts(runTexts);
  const nameOf = useStepNames(campaign.steps);
  const ids = stepsIn(campaign.steps).map(({ id }) => id);
  const { person, status, step, state, converted } = filters;
  // A step of an earlier version is still a filter.
  const steps = step && !ids.includes(step) ? [...ids, step] : ids;
  const set = (changed: { [K in keyof RunFilters]: RunFilters[K] | undefined }) =>
    onChange(Object.fromEntries(Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== undefined)));
  return (
    <search>
      <div className={css.filters}>
        <PersonField label={t("person")} value={person ?? ""} onChange={(id) => set({ person: id || undefined })} />
        <NativeSelect
          label={t("step")}
          value={step ?? ""}
          onChange={({ currentTarget: { value } }) => set({ step: value || undefined, state: undefined })}
          data={[{ value: "", label: t("anyStep") }, ...steps.map((value) => ({ value, label: nameOf(value) }))]}
        />
        {step && (
          <NativeSelect
            label={t("state")}
            value={converted ? "converted" : (state ?? "")}
            onChange={({ currentTarget: { value } }) =>
              set({
                state: stepStates.find((one) => one === value),
                converted: value === "converted" ? true : undefined,
              })
            }
            data={[
              { value: "", label: t("here") },
              ...stepStates.map((value) => ({ value, label: t(`state_${value}`) })),
              ...(campaign.goal || converted ? [{ value: "converted", label: t("converted") }] : []),
            ]}
          />
        )}
      </div>
      <fieldset className={css.choices}>
        <legend className="visually-hidden">{t("status")}</legend>
        <Choice
          text={t("all")}
          chosen={status === undefined && (!converted || step !== undefined)}
          onClick={() => set({ status: undefined, ...(!step && { converted: undefined }) })}
        />
        {runStatuses.map((one) => (
          <Choice
            key={one}
            text={say(one)}
            chosen={status === one}
            onClick={() => set({ status: status === one ? undefined : one })}
          />
        ))}
        {!step && (campaign.goal || converted) && (
          <Choice
            text={t("converted")}
            chosen={converted === true}
            onClick={() => set({ converted: converted ? undefined : true })}
          />
        )}
        <Range filters={filters} onClear={() => set({ from: undefined, to: undefined })} />
      </fieldset>
    </search>
  );
}

/** A range of time that a link has set. */
function Range({ filters: { from, to }, onClear }: { filters: RunFilters; onClear: () => void }) {
  const t = useTexts(texts);
  const format = useFormat();
  if (!from && !to) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      rightSection={<Icon name="close" size={12} />}
      title={t("takeAway")}
      onClick={onClear}
    >
      {t("between", { from: from ? format.instant(from) : "…", to: to ? format.instant(to) : "…" })}
    </Button>
  );
}
