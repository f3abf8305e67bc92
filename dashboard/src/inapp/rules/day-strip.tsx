import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { lengthOf, partsOf, timeOf } from "./hours.ts";
import css from "./rules.module.css";
import { texts } from "./texts.ts";

interface DayStripProps {
  /** Minutes of the day. */
  start: number;
  end: number;
  onChange: (edge: "start" | "end", minute: number) => void;
  disabled: boolean;
}
const [DAY, STEP, LEAP] = [1_440, 15, 60];
const HOURS = [0, 6, 12, 18, 24];

/** A day with its quiet part, whose two edges are moved by dragging, or by arrow keys. The two time fields do the same. */
export function DayStrip({ start, end, onChange, disabled }: DayStripProps) {
  const t = useTexts(texts);
  const strip = useRef<HTMLDivElement>(null);
  const minuteAt = (x: number): number => {
    const { left, width } = (strip.current as HTMLDivElement).getBoundingClientRect();
    return Math.min(DAY - STEP, Math.max(0, Math.round(((x - left) / width) * (DAY / STEP)) * STEP));
  };
  const edges = { start, end };
  const nearest = (minute: number): "start" | "end" => {
    const apart = (edge: number) => Math.min(lengthOf(edge, minute), lengthOf(minute, edge));
    return apart(start) <= apart(end) ? "start" : "end";
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out its children over each other
    <div className={css.day} role="group" aria-label={t("strip")}>
      <div
        ref={strip}
        className={css.strip}
        data-off={disabled}
        onPointerDown={(event) => {
          if (disabled || event.target !== event.currentTarget) return;
          const at = minuteAt(event.clientX);
          onChange(nearest(at), at);
        }}
      >
        {partsOf(start, end).map(([from, to]) => (
          <span
            key={from}
            className={css.part}
            style={{ insetInlineStart: `${(from / DAY) * 100}%`, width: `${((to - from) / DAY) * 100}%` }}
          />
        ))}
        {(["start", "end"] as const).map((edge) => (
          <Handle
            key={edge}
            label={t(`${edge}Handle`)}
            minute={edges[edge]}
            disabled={disabled}
            minuteAt={minuteAt}
            onChange={(minute) => onChange(edge, minute)}
          />
        ))}
      </div>
      <div className={`${css.hours} numbers quiet`} aria-hidden="true">
        {HOURS.map((hour) => (
          <span key={hour}>{String(hour).padStart(2, "0")}</span>
        ))}
      </div>
    </div>
  );
}

interface HandleProps {
  label: string;
  minute: number;
  disabled: boolean;
  minuteAt: (x: number) => number;
  onChange: (minute: number) => void;
}

function Handle({ label, minute, disabled, minuteAt, onChange }: HandleProps) {
  const moves: Record<string, number> = {
    ArrowRight: STEP,
    ArrowUp: STEP,
    ArrowLeft: -STEP,
    ArrowDown: -STEP,
    PageUp: LEAP,
    PageDown: -LEAP,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { Home: 0, End: DAY - STEP }[event.key];
    const by = moves[event.key];
    if (disabled || (to === undefined && by === undefined)) return;
    event.preventDefault();
    onChange(to ?? (minute + (by as number) + DAY) % DAY);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onChange(minuteAt(event.clientX));
  };
  return (
    <span
      role="slider"
      tabIndex={disabled ? -1 : 0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={DAY - 1}
      aria-valuenow={minute}
      aria-valuetext={timeOf(minute)}
      aria-disabled={disabled}
      className={css.handle}
      style={{ insetInlineStart: `${(minute / DAY) * 100}%` }}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (disabled) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
      }}
      onPointerMove={onPointerMove}
    />
  );
}
