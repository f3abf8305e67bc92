/** A line of two texts: in both, only in the first, or only in the second. The numbers are those of the lines, from 1. */
export interface DiffRow {
  left?: { line: number; text: string };
  right?: { line: number; text: string };
  same: boolean;
}

/** Beyond so many pairs of lines the changed middle is shown as one block. */
const MOST_PAIRS = 4_000_000;

/** Compares two texts line by line. Lines that took each other's place stand side by side. */
export function diffOf(before: string, after: string): DiffRow[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const kept = commonOf(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const pairs: [number, number][] = [
    ...Array.from({ length: start }, (_, i): [number, number] => [i, i]),
    ...kept.map(([i, j]): [number, number] => [i + start, j + start]),
    ...Array.from({ length: end }, (_, i): [number, number] => [a.length - end + i, b.length - end + i]),
  ];
  const rows: DiffRow[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...pairs, [a.length, b.length] as const]) {
    for (; i < nextI || j < nextJ; ) {
      const row: DiffRow = { same: false };
      if (i < nextI) row.left = { line: i + 1, text: a[i++] as string };
      if (j < nextJ) row.right = { line: j + 1, text: b[j++] as string };
      rows.push(row);
    }
    if (i < a.length && j < b.length) {
      const [left, right] = [a[i] as string, b[j] as string];
      rows.push({ left: { line: ++i, text: left }, right: { line: ++j, text: right }, same: true });
    }
  }
  return rows;
}

/** The longest run of lines that both have in the same order, as pairs of places. */
function commonOf(a: readonly string[], b: readonly string[]): [number, number][] {
  if (a.length * b.length > MOST_PAIRS) return [];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] as number) + 1
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number)) i++;
    else j++;
  }
  return pairs;
}

/** Leaves out the lines that are the same, but for a few around each change. A number stands for as many lines. */
export function foldedOf(rows: readonly DiffRow[], around = 3): (DiffRow | number)[] {
  const near = rows.map((_, i) => rows.slice(Math.max(0, i - around), i + around + 1).some(({ same }) => !same));
  const folded: (DiffRow | number)[] = [];
  for (const [i, row] of rows.entries()) {
    const last = folded.at(-1);
    if (near[i]) folded.push(row);
    else if (typeof last === "number") folded[folded.length - 1] = last + 1;
    else folded.push(1);
  }
  return folded;
}
