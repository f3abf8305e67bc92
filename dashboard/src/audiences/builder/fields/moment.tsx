import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../builder.module.css";
import { isInstant } from "../model/conditions.ts";
import { fieldTexts } from "../texts.ts";
import { instantOf, localOf } from "./instants.ts";

interface MomentFieldProps {
  value: unknown;
  onChange: (value: string) => void;
  error?: string | undefined;
}
const isDay = (value: unknown): boolean => typeof value !== "string" || !value.includes("T");

/** A day, which begins at midnight in UTC, or a moment in the reader's own time zone. */
export function MomentField({ value, onChange, error }: MomentFieldProps) {
  const t = useTexts(fieldTexts);
  const text = typeof value === "string" ? value : "";
  const [chosen, setChosen] = useState<"day" | "moment">();
  const precision = text === "" ? (chosen ?? "day") : isDay(text) ? "day" : "moment";
  // What the browser's fields can't show is shown as it is.
  const odd = text !== "" && !isInstant(text);
  return (
    <div className={css.field}>
      <span className={css.pair}>
        {odd ? (
          <TextInput
            aria-label={t("value")}
            value={text}
            onChange={(event) => onChange(event.currentTarget.value)}
            error={error}
          />
        ) : precision === "day" ? (
          <TextInput
            type="date"
            aria-label={t("value")}
            value={text}
            onChange={(event) => onChange(event.currentTarget.value)}
            error={error}
          />
        ) : (
          <TextInput
            type="datetime-local"
            aria-label={t("value")}
            value={localOf(text)}
            onChange={(event) => onChange(instantOf(event.currentTarget.value))}
            error={error}
          />
        )}
        <NativeSelect
          className={css.type ?? ""}
          aria-label={t("precision")}
          value={precision}
          onChange={(event) => {
            const next = event.currentTarget.value as "day" | "moment";
            setChosen(next);
            if (isInstant(text)) onChange(next === "day" ? text.slice(0, 10) : new Date(text).toISOString());
          }}
          data={[
            { value: "day", label: t("day") },
            { value: "moment", label: t("moment") },
          ]}
        />
      </span>
      <span className={css.hint}>{t(precision === "day" ? "utc" : "yourTime")}</span>
    </div>
  );
}
