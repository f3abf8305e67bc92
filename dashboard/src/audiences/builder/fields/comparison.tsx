import type { Comparison, Within } from "@tidings/contract/audience/audiences";
import { NativeSelect } from "@mantine/core";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../builder.module.css";
import { type Draft, opsFor, withOp } from "../model/conditions.ts";
import { fieldTexts } from "../texts.ts";
import { type Known, useValues } from "./catalog.ts";
import { DurationField } from "./duration.tsx";
import { MomentField } from "./moment.tsx";
import { ScalarField } from "./scalar.tsx";
import { ValuesField } from "./values.tsx";

interface ComparisonFieldsProps {
  value: Draft;
  /** Gets the operator and the value. */
  onChange: (value: Draft) => void;
  known: Known;
  /** The message at a field of the comparison, such as "/value/0". */
  errorOf: (field: string) => string | undefined;
}
type Op = Comparison["op"];

/** The operator of a comparison, and the field for a value of the right type. */
export function ComparisonFields({ value: draft, onChange, known, errorOf }: ComparisonFieldsProps) {
  const t = useTexts(fieldTexts);
  const shown = draft.op === "exists" && draft.value === false ? "missing" : draft.op;
  const choices = opsFor(known.field?.types, draft.op).flatMap((op) =>
    op === "exists" ? (["exists", "missing"] as const) : [op],
  );
  const choose = (op: Op | "missing") =>
    onChange(op === "missing" ? { op: "exists", value: false } : withOp({ op: draft.op, value: draft.value }, op));
  return (
    <>
      <NativeSelect
        className={css.operator ?? ""}
        aria-label={t("operator")}
        value={shown}
        onChange={(event) => choose(event.currentTarget.value as Op | "missing")}
        data={choices.map((op) => ({ value: op, label: t(`op_${op}`) }))}
        error={errorOf("/op")}
      />
      <ValueField
        draft={draft}
        known={known}
        errorOf={errorOf}
        onChange={(value) => onChange({ op: draft.op, value })}
      />
    </>
  );
}

interface ValueFieldProps {
  draft: Draft;
  known: Known;
  onChange: (value: unknown) => void;
  errorOf: (field: string) => string | undefined;
}

function ValueField({ draft: { op, value }, known, onChange, errorOf }: ValueFieldProps) {
  const suggestions = useValues(known);
  const types = known.field?.types;
  const error = errorOf("/value");
  switch (op) {
    case "exists":
      return null;
    case "in":
      return (
        <ValuesField
          value={Array.isArray(value) ? value : []}
          onChange={onChange}
          types={types}
          suggestions={suggestions}
          errorOf={(field) => errorOf(`/value${field}`)}
        />
      );
    case "before":
    case "after":
      return <MomentField value={value} onChange={onChange} error={error} />;
    case "within_last":
      return (
        <DurationField
          value={value as Within | undefined}
          onChange={onChange}
          errorOf={(field) => errorOf(`/value${field}`)}
        />
      );
    case "contains":
    case "starts_with":
      return (
        <ScalarField
          value={value ?? ""}
          onChange={onChange}
          types={["string"]}
          suggestions={suggestions}
          error={error}
        />
      );
    default:
      return (
        <ScalarField
          value={value}
          onChange={onChange}
          types={types}
          booleans={op === "eq" || op === "ne"}
          suggestions={suggestions}
          error={error}
        />
      );
  }
}
