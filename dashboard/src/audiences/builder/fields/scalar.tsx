import type { ValueType } from "@tidings/contract/facts/catalog";
import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../builder.module.css";
import { fieldTexts } from "../texts.ts";
import type { Suggestion } from "./catalog.ts";
import { NameField } from "./name-field.tsx";
import { numberOf } from "./number.ts";

type Scalar = string | number | boolean;
const scalarTypes = ["text", "number", "boolean"] as const;
type ScalarType = (typeof scalarTypes)[number];

const typeOf = (value: unknown): ScalarType | undefined =>
  typeof value === "string"
    ? "text"
    : typeof value === "number"
      ? "number"
      : typeof value === "boolean"
        ? "boolean"
        : undefined;

/** The types that a field's values have, as a filter writes them. */
const typesOf = (types: readonly ValueType[] | undefined): ScalarType[] => {
  const found = new Set((types ?? []).map((type) => (type === "number" || type === "boolean" ? type : "text")));
  return scalarTypes.filter((type) => found.has(type));
};

/** Returns the value in another type, where it has one. */
function valueIn(type: ScalarType, value: unknown): Scalar | undefined {
  if (type === "text") return value === undefined ? undefined : String(value);
  if (type === "number")
    return typeof value === "string" ? numberOf(value) : typeof value === "number" ? value : undefined;
  return typeof value === "boolean" ? value : true;
}

interface ScalarFieldProps {
  value: unknown;
  onChange: (value: Scalar | undefined) => void;
  /** The types that the catalog knows; none where it knows nothing. */
  types: readonly ValueType[] | undefined;
  suggestions: readonly Suggestion[];
  /** Whether yes and no can be compared so. */
  booleans?: boolean;
  label?: string;
  error?: string | undefined;
  onEnter?: () => void;
}

/** A text, a number, or yes or no. "5" is not 5, so the type is a choice wherever it is not certain. */
export function ScalarField(props: ScalarFieldProps) {
  const { value, onChange, types, suggestions, booleans = true, label, error, onEnter } = props;
  const t = useTexts(fieldTexts);
  const known = typesOf(types).filter((type) => booleans || type !== "boolean");
  const [chosen, setChosen] = useState<ScalarType>();
  const [typed, setTyped] = useState("");
  const type = typeOf(value) ?? chosen ?? known[0] ?? "text";
  const certain = known.length === 1 && known[0] === type;
  const name = label ?? t("value");
  const shown = type === "number" && numberOf(typed) === value ? typed : String(value ?? "");
  const isWrong = type === "number" && shown.trim() !== "" && numberOf(shown) === undefined;
  return (
    <span className={css.pair}>
      {type === "boolean" ? (
        <NativeSelect
          aria-label={name}
          value={value === undefined ? "" : String(value)}
          onChange={(event) => onChange(event.currentTarget.value === "true")}
          data={[
            ...(value === undefined ? [{ value: "", label: t("choose"), disabled: true }] : []),
            { value: "true", label: t("yes") },
            { value: "false", label: t("no") },
          ]}
          error={error}
        />
      ) : (
        <NameField
          label={name}
          value={shown}
          onChange={(text) => {
            setTyped(text);
            onChange(type === "number" ? numberOf(text) : text);
          }}
          suggestions={suggestions}
          error={error ?? (isWrong ? t("notNumber") : undefined)}
          {...(type === "number" && { inputMode: "decimal" as const })}
          {...(onEnter && { onEnter })}
        />
      )}
      {!certain && (
        <NativeSelect
          className={css.type ?? ""}
          aria-label={t("type")}
          value={type}
          onChange={(event) => {
            const next = event.currentTarget.value as ScalarType;
            setChosen(next);
            onChange(valueIn(next, value));
          }}
          data={scalarTypes
            .filter((one) => booleans || one !== "boolean")
            .map((one) => ({ value: one, label: t(`type_${one}`) }))}
        />
      )}
    </span>
  );
}
