import { Input } from "@mantine/core";
import type { StepFilter } from "@tidings/contract/campaigns/filters";
import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { StepOf } from "@tidings/contract/campaigns/steps";
import { useMemo } from "react";
import { FilterBuilder } from "../../../audiences/builder/filter-builder.tsx";
import { useTexts } from "../../../platform/language/texts.ts";
import type { Draft } from "../../campaign-shape.ts";
import type { StepFormProps } from "../form.ts";
import css from "../inspector.module.css";
import { texts } from "../texts.ts";

interface JourneyFilterProps {
  label: string;
  description?: string;
  value: Record<string, unknown> | null | undefined;
  onChange: (filter: Record<string, unknown>) => void;
  /** The problem at a pointer into the filter, such as "/all/0/value"; "" is the filter itself. */
  errorOf: (pointer: string) => string | undefined;
  draft: Draft;
  off: boolean;
}

/** Conditions on the person, on what let them in, and on the messages that they got here. */
export function JourneyFilter({ label, description, value, onChange, errorOf, draft, off }: JourneyFilterProps) {
  const { trigger, steps } = draft;
  const extra = useMemo(
    () => ({
      trigger: trigger.type === "event" ? { event: trigger.name || undefined } : {},
      steps: stepsIn(steps).flatMap(({ id, type }) => (type === "message" ? [{ id }] : [])),
    }),
    [trigger, steps],
  );
  const own = errorOf("");
  return (
    <fieldset className={css.bare} disabled={off}>
      <legend className={css.label}>{label}</legend>
      {description && <Input.Description>{description}</Input.Description>}
      <FilterBuilder<StepFilter>
        value={(value ?? null) as StepFilter | null}
        onChange={(filter) => onChange(filter as Record<string, unknown>)}
        errorOf={errorOf}
        extra={extra}
      />
      {own && <Input.Error>{own}</Input.Error>}
    </fieldset>
  );
}

/** The condition of a branch. */
export function BranchForm({ step, set, errorOf, off, draft }: StepFormProps<StepOf<"branch">>) {
  const t = useTexts(texts);
  return (
    <JourneyFilter
      label={t("ifTitle")}
      value={step.if}
      draft={draft}
      off={off}
      errorOf={(pointer) => errorOf(`if${pointer}`)}
      onChange={(filter) => set({ if: filter })}
    />
  );
}
