/** The shape that people confuse: "Home", "home" and "/home" have one. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** The most characters that may differ. */
const NEAR = 2;

/** Returns the screens that a typed name may mean, the most alike first. */
export function lookAlikes(typed: string, screens: readonly string[]): string[] {
  const wanted = folded(typed);
  if (wanted === "") return [];
  const near = Math.min(NEAR, Math.floor(wanted.length / 3));
  return screens
    .filter((name) => name !== typed)
    .map((name) => ({ name, apart: distance(wanted, folded(name)) }))
    .filter(({ apart }) => apart <= near)
    .toSorted((one, other) => one.apart - other.apart)
    .map(({ name }) => name);
}

/** Returns how many characters one has to insert, remove or replace. Names of screens are short: at most 200 characters. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > NEAR) return NEAR + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    row = next;
  }
  return row[b.length] as number;
}
