import type { ValueType } from "@tidings/contract/facts/catalog";
import { Button, Pill } from "@mantine/core";
import { useRef, useState } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../builder.module.css";
import { fieldTexts } from "../texts.ts";
import type { Suggestion } from "./catalog.ts";
import { ScalarField } from "./scalar.tsx";

type Scalar = string | number | boolean;

interface ValuesFieldProps {
  value: readonly Scalar[];
  onChange: (values: Scalar[]) => void;
  types: readonly ValueType[] | undefined;
  suggestions: readonly Suggestion[];
  errorOf: (field: string) => string | undefined;
}
/** So many are shown until somebody asks for the rest: a list may have 1,000. */
const SHOWN = 24;

/** A list of values: each is added by Enter, and removed by its cross. */
export function ValuesField({ value: values, onChange, types, suggestions, errorOf }: ValuesFieldProps) {
  const t = useTexts(fieldTexts);
  const [next, setNext] = useState<Scalar>();
  const [all, setAll] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const error = errorOf("") ?? values.map((_, i) => errorOf(`/${i}`)).find(Boolean);
  const add = () => {
    if (next === undefined || next === "") return;
    if (!values.includes(next)) onChange([...values, next]);
    setNext(typeof next === "string" ? "" : undefined);
    element.current?.querySelector<HTMLElement>("input")?.focus();
  };
  const shown = all ? values : values.slice(0, SHOWN);
  const offered = suggestions.filter((one) => !values.some((value) => String(value) === one.value));
  return (
    <div className={css.values} ref={element}>
      {values.length > 0 && (
        <div className={css.pills}>
          {shown.map((value, i) => (
            <Pill
              // biome-ignore lint/suspicious/noArrayIndexKey: a list may have the same value twice
              key={i}
              size="md"
              withRemoveButton
              removeButtonProps={{
                "aria-label": t("removeValue", { value: String(value) }),
                tabIndex: 0,
                "aria-hidden": false,
              }}
              onRemove={() => onChange(values.toSpliced(i, 1))}
            >
              {typeof value === "boolean" ? t(value ? "yes" : "no") : value === "" ? "“”" : String(value)}
            </Pill>
          ))}
          {shown.length < values.length && (
            <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)}>
              {t("showAll", { count: values.length })}
            </Button>
          )}
        </div>
      )}
      <span className={css.pair}>
        <ScalarField
          label={t("addValueLabel")}
          value={next}
          onChange={setNext}
          types={types}
          suggestions={offered}
          error={error}
          onEnter={add}
        />
        <Button variant="default" disabled={next === undefined || next === ""} onClick={add}>
          {t("addValue")}
        </Button>
      </span>
    </div>
  );
}
