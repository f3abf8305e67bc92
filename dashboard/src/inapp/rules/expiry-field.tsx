import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useLocale } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { LengthField } from "./length-field.tsx";
import { type Length, lengthMs } from "./length.ts";
import css from "./rules.module.css";
import { texts } from "./texts.ts";

interface ExpiryFieldProps {
  value: Length | null;
  onChange: (expiry: Length | null) => void;
  error: string | undefined;
}
const FIRST: Length = { amount: 2, unit: "days" };
const WEEK_MS = 7 * 86_400_000;
/** The latest time that a date can say. */
const LAST_MS = 8_640_000_000_000_000;

/** How long the message waits for each person, or that it never expires; with the time that this is for somebody queued now. */
export function ExpiryField({ value, onChange, error }: ExpiryFieldProps) {
  const t = useTexts(texts);
  const [last, setLast] = useState(value ?? FIRST);
  return (
    <div className={css.group}>
      <div className={css.line}>
        <SegmentedControl
          aria-label={t("expires")}
          value={value ? "after" : "never"}
          onChange={(way) => onChange(way === "after" ? last : null)}
          data={(["never", "after"] as const).map((way) => ({ value: way, label: t(way) }))}
        />
        {value && (
          <LengthField
            label={t("expiry")}
            name="expiry"
            value={value}
            error={error}
            onChange={(length) => {
              setLast(length);
              onChange(length);
            }}
          />
        )}
      </div>
      <p className={css.sum} role="status">
        <Until length={value} />
      </p>
    </div>
  );
}

function Until({ length }: { length: Length | null }) {
  const t = useTexts(texts);
  const locale = useLocale();
  if (!length) return t("expiryNever");
  const ms = lengthMs(length);
  const at = Date.now() + (ms ?? 0);
  if (!ms || at > LAST_MS) return null;
  // Within a week the name of the day says it; after that only the date does.
  const near = ms < WEEK_MS ? ({ weekday: "long" } as const) : ({ dateStyle: "medium" } as const);
  const time = new Intl.DateTimeFormat(
    locale,
    "weekday" in near ? { ...near, hour: "2-digit", minute: "2-digit" } : { ...near, timeStyle: "short" },
  );
  return t("expiryUntil", { length: t(`n_${length.unit}`, { count: Number(length.amount) }), time: time.format(at) });
}
