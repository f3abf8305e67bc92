/** One line below a benchmark's table: a measured value and its target. */
export interface TargetResult {
  what: string;
  value: string;
  target: string;
  ok: boolean;
  /** How many times worse than the target it is; up to 1 the target is reached. */
  worse: number;
}

type Target = [sign: ">=" | "<=" | "<", value: number];

/** Compares a measured value with a target such as "<= 1.5"; `unit` is printed after both. */
export function reached(what: string, value: number, [sign, target]: Target, unit: string): TargetResult {
  const ok = sign === ">=" ? value >= target : sign === "<=" ? value <= target : value < target;
  const worse = sign === ">=" ? target / value : value / target;
  return { what, value: `${value.toFixed(2)} ${unit}`, target: `${sign} ${target} ${unit}`, ok, worse };
}

/** Prints a table in Markdown, which docs/performance.md can hold as it is. */
export function table(head: string[], rows: string[][]): void {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0), 3));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(" | ")} |`;
  console.log(line(head));
  console.log(
    `| ${widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`,
  );
  for (const row of rows) console.log(line(row));
}

/** Prints the targets with the measured values. */
export function targetTable(results: TargetResult[]): void {
  console.log();
  table(
    ["", "measured", "target", "reached"],
    results.map(({ what, value, target, ok }) => [what, value, target, ok ? "yes" : "NO"]),
  );
}

/** Returns the median. Benchmarks never compare means: noise changes few samples, but these by much. */
export function median(values: number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return Number.NaN;
  if (share === 0.5 && sorted.length % 2 === 0)
    return ((sorted[sorted.length / 2 - 1] as number) + (sorted[sorted.length / 2] as number)) / 2;
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}
