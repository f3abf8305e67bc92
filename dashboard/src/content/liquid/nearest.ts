/** How alike names are compared: `firstName`, `first-name` and `First_Name` are the same. */
const plain = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** The number of letters to add, leave out, replace, or swap with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      const replaced = (row[k - 1] as number) + (a[i - 1] === b[k - 1] ? 0 : 1);
      let least = Math.min((row[k] as number) + 1, (next[k - 1] as number) + 1, replaced);
      if (i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1])
        least = Math.min(least, (before[k - 2] as number) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[b.length] as number;
}

/** Returns the name that was probably meant, or undefined where none is near. Of equally near ones the first. */
export function nearestOf(name: string, names: readonly string[]): string | undefined {
  const sought = plain(name);
  // In short names one letter is much: `id` is not `sid`.
  const most = Math.min(3, Math.floor(sought.length / 3));
  let nearest: string | undefined;
  let least = most + 1;
  for (const one of names) {
    const other = plain(one);
    if (Math.abs(other.length - sought.length) >= least) continue;
    const far = distance(sought, other);
    if (far < least) [nearest, least] = [one, far];
  }
  return nearest;
}
