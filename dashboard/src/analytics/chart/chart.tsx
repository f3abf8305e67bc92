import "uplot/dist/uPlot.min.css";
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type uPlot from "uplot";
import { useFormat } from "../../platform/language/format.ts";
import css from "../analytics.module.css";
import type { DrawnLine } from "./lines.ts";
import { draw, fit, pointAt } from "./plot.ts";
import type { Times } from "../time/times.ts";

interface ChartProps {
  /** What it shows, for a screen reader. */
  label: string;
  /** The beginnings of the buckets. */
  starts: readonly string[];
  lines: readonly DrawnLine[];
  times: Times;
}

/** Lines over time. The cursor follows the pointer, or the arrow keys; below is what it points at. */
export function Chart({ label, starts, lines, times }: ChartProps) {
  const format = useFormat();
  const scheme = useComputedColorScheme();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const [cursor, setCursor] = useState<number>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours need a new drawing
  useEffect(() => {
    const place = host.current as HTMLDivElement;
    const drawn = draw(place, {
      times: starts.map((at) => Date.parse(at) / 1000),
      lines,
      writeTime: (i) => times.short(starts[i] as string),
      writeNumber: format.number,
      onCursor: setCursor,
    });
    plot.current = drawn;
    const watch = new ResizeObserver(() => fit(drawn, place.clientWidth));
    watch.observe(place);
    return () => {
      watch.disconnect();
      drawn.destroy();
    };
  }, [starts, lines, times, format, scheme]);

  const last = starts.length - 1;
  const at = Math.min(cursor ?? last, last);
  const said = lines
    .filter(({ values }) => values[at] !== null)
    .map(({ label: name, values }) => `${name} ${format.number(values[at] ?? 0)}`);
  return (
    <div className={css.chart}>
      <label className={css.cursorArea}>
        <input
          type="range"
          className={css.cursor}
          aria-label={label}
          min={0}
          max={last}
          value={at}
          aria-valuetext={`${times.full(starts[at] as string)}: ${said.join(", ")}`}
          onChange={(event) => plot.current && pointAt(plot.current, event.currentTarget.valueAsNumber)}
          onFocus={() => plot.current && pointAt(plot.current, at)}
        />
        <div ref={host} className={css.plot} aria-hidden="true" />
      </label>
      <div className={css.legend}>
        {lines.map(({ key, label: name, colour, dashed, values }) => (
          <span key={key} className={css.legendItem}>
            <span
              className={css.swatch}
              data-dashed={dashed}
              style={{ borderColor: `var(${colour})` }}
              aria-hidden="true"
            />
            {name}
            {cursor !== undefined && values[at] !== null && (
              <strong className="numbers">{format.number(values[at] ?? 0)}</strong>
            )}
          </span>
        ))}
        {cursor !== undefined && <span className={css.legendTime}>{times.full(starts[at] as string)}</span>}
      </div>
    </div>
  );
}
