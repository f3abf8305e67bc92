/** One line below a benchmark's table: what was measured against what was to be reached. */
export interface Verdict {
  what: string;
  value: string;
  target: string;
  ok: boolean;
}

export function reached(what: string, value: number, sign: ">=" | "<=" | "<", target: number, unit: string): Verdict {
  const ok = sign === ">=" ? value >= target : sign === "<=" ? value <= target : value < target;
  return { what, value: `${value.toFixed(2)} ${unit}`, target: `${sign} ${target} ${unit}`, ok };
}

/** A table in Markdown, so that docs/performance.md can hold it as it is. */
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

export function verdicts(found: Verdict[]): void {
  console.log();
  table(
    ["", "measured", "target", "reached"],
    found.map(({ what, value, target, ok }) => [what, value, target, ok ? "yes" : "NO"]),
  );
}

/** The same noise on a time hits few samples hard: medians are compared, never means. */
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
