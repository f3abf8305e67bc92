import { Radio, Switch, TextInput } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { DayStrip } from "./day-strip.tsx";
import { lengthOf, minuteOf, timeOf } from "./hours.ts";
import css from "./rules.module.css";
import { texts } from "./texts.ts";

export interface QuietHours {
  enabled: boolean;
  timezone_mode: "workspace" | "device";
  start: string;
  end: string;
}

interface QuietHoursFieldProps {
  value: QuietHours;
  onChange: <K extends keyof QuietHours>(name: K, value: QuietHours[K]) => void;
  errorOf: (name: keyof QuietHours) => string | undefined;
  /** The zone of the workspace. */
  zone: string;
  disabled: boolean;
}

/** The hours at which the message is held back, and whose clock says them. */
export function QuietHoursField({ value, onChange, errorOf, zone, disabled }: QuietHoursFieldProps) {
  const t = useTexts(texts);
  const { enabled, timezone_mode: mode, start, end } = value;
  const [from, to] = [minuteOf(start), minuteOf(end)];
  const time = (name: "start" | "end") => (
    <TextInput
      type="time"
      label={t(name)}
      name={`quiet_hours/${name}`}
      value={value[name]}
      onChange={(event) => onChange(name, event.currentTarget.value)}
      error={errorOf(name)}
      className={css.time ?? ""}
    />
  );
  return (
    <div className={css.group}>
      <Switch
        label={t("quietOn")}
        checked={enabled}
        onChange={(event) => onChange("enabled", event.currentTarget.checked)}
        error={errorOf("enabled")}
      />
      {enabled && (
        <>
          {from !== undefined && to !== undefined && (
            <DayStrip
              start={from}
              end={to}
              disabled={disabled}
              onChange={(edge, minute) => onChange(edge, timeOf(minute))}
            />
          )}
          <div className={css.line}>
            {time("start")}
            {time("end")}
          </div>
          <Radio.Group
            label={t("zone")}
            value={mode}
            onChange={(to) => onChange("timezone_mode", to === "device" ? "device" : "workspace")}
            error={errorOf("timezone_mode")}
          >
            <div className={css.radios}>
              <Radio value="device" label={t("zone_device")} />
              <Radio value="workspace" label={t("zone_workspace", { zone })} />
            </div>
          </Radio.Group>
        </>
      )}
      <p className={css.sum} role="status">
        <Sentence value={value} />
      </p>
    </div>
  );
}

function Sentence({ value: { enabled, start, end } }: { value: QuietHours }) {
  const t = useTexts(texts);
  const [from, to] = [minuteOf(start), minuteOf(end)];
  if (!enabled) return t("quietNone");
  if (from === undefined || to === undefined) return null;
  if (from === to) return t("quietSame");
  const minutes = lengthOf(from, to);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const length = [hours > 0 && t("n_hours", { count: hours }), rest > 0 && t("n_minutes", { count: rest })].filter(
    Boolean,
  );
  return t(from < to ? "quietSentence" : "quietOver", { start, end, length: length.join(" ") });
}
