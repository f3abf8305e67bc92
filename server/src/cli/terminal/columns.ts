/** Returns rows as aligned columns below their headings. */
export function columns(headings: string[], rows: string[][]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Prints the value of `--json`, indented, on stdout. */
export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));
