import uPlot from "uplot";
import type { DrawnLine } from "./lines.ts";

/** What a chart needs to be drawn. */
export interface Drawing {
  /** Seconds of the beginnings of the buckets. */
  times: number[];
  lines: readonly DrawnLine[];
  /** Writes the time under a tick. */
  writeTime: (i: number) => string;
  writeNumber: (value: number) => string;
  /** The cursor is over this bucket now. */
  onCursor: (i: number | undefined) => void;
}

const HEIGHT = 240;
/** Room for the text of a tick. */
const TICK_WIDTH = 72;
/** With more buckets the points would touch each other. */
const MOST_POINTS = 45;

/** Returns a colour of the style sheet as the canvas takes it: the browser resolves the theme. */
function colourOf(host: HTMLElement, variable: string): string {
  const probe = host.appendChild(document.createElement("span"));
  probe.style.color = `var(${variable})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Draws the chart into an element. The caller destroys it. */
export function draw(host: HTMLElement, { times, lines, writeTime, writeNumber, onCursor }: Drawing): uPlot {
  const [quiet, line] = [colourOf(host, "--quiet"), colourOf(host, "--line")];
  const font = `12px ${getComputedStyle(host).fontFamily}`;
  const axis = { stroke: quiet, font, ticks: { show: false } };
  const data = [times, ...lines.map(({ values }) => values)] as uPlot.AlignedData;
  const options: uPlot.Options = {
    width: host.clientWidth,
    height: HEIGHT,
    // The text of the last tick is centred below the last point.
    padding: [8, TICK_WIDTH / 3, 0, 0],
    legend: { show: false },
    // The times are what the service says; this library only needs them in order.
    scales: { x: { time: false }, y: { range: (_, _least, most) => [0, Math.max(most, 1) * 1.08] } },
    cursor: { y: false, drag: { x: false, y: false } },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        splits: (plot) => ticksOf(times, plot.width),
        values: (_, splits) => splits.map((at) => writeTime(times.indexOf(at))),
      },
      {
        ...axis,
        size: (_, values) => 16 + 7.5 * Math.max(...(values ?? [""]).map((text) => text.length)),
        grid: { stroke: line, width: 1 },
        // Half a message is none.
        incrs: [1, 2, 5].flatMap((n) => Array.from({ length: 9 }, (_, power) => n * 10 ** power)).sort((a, b) => a - b),
        values: (_, splits) => splits.map(writeNumber),
      },
    ],
    series: [
      {},
      ...lines.map(({ colour, dashed }) => ({
        stroke: colourOf(host, colour),
        width: dashed ? 1.5 : 2,
        ...(dashed && { dash: [4, 4] }),
        points: { show: !dashed && times.length <= MOST_POINTS, size: 5 },
      })),
    ],
    hooks: { setCursor: [(plot) => onCursor(plot.cursor.idx ?? undefined)] },
  };
  return new uPlot(options, data, host);
}

function ticksOf(times: number[], width: number): number[] {
  const every = Math.max(1, Math.ceil(times.length / Math.max(1, Math.floor(width / TICK_WIDTH))));
  return times.filter((_, i) => i % every === 0);
}

/** Moves the cursor to a bucket, as the pointer does. */
export function pointAt(plot: uPlot, i: number): void {
  const at = plot.data[0][i];
  if (at !== undefined) plot.setCursor({ left: plot.valToPos(at, "x"), top: 1 });
}

export function fit(plot: uPlot, width: number): void {
  if (width > 0 && width !== plot.width) plot.setSize({ width, height: HEIGHT });
}
