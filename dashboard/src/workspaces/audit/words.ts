/** A part of a text that changed: in both versions, or only in one. */
export interface Piece {
  text: string;
  in: "both" | "before" | "after";
}

/** The log keeps texts of up to 2,048 characters. Longer ones would take too many comparisons. */
const MOST_WORDS = 4_000;

/** Returns what became of a text, by words: joined, the pieces before give the one version, and those after the other. */
export function comparedByWords(before: string, after: string): Piece[] {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  const least = Math.min(old.length, fresh.length) - start;
  while (end < least && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
  const [oldMiddle, freshMiddle] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
  const tooMany = oldMiddle.length + freshMiddle.length > MOST_WORDS;
  return joined([
    ...old.slice(0, start).map((text): Piece => ({ text, in: "both" })),
    ...(tooMany ? replaced(oldMiddle, freshMiddle) : aligned(oldMiddle, freshMiddle)),
    ...old.slice(old.length - end).map((text): Piece => ({ text, in: "both" })),
  ]);
}

/** Words and the spaces between them. */
const wordsOf = (text: string): string[] => text.match(/\s+|\S+/g) ?? [];

const replaced = (old: string[], fresh: string[]): Piece[] => [
  ...old.map((text): Piece => ({ text, in: "before" })),
  ...fresh.map((text): Piece => ({ text, in: "after" })),
];

/** Keeps the longest common sequence of words. */
function aligned(old: string[], fresh: string[]): Piece[] {
  const width = fresh.length + 1;
  // The length of the longest common sequence of what is left from a word of each.
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] as number;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      lengths[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [word, other] = [old[i], fresh[j]];
    if (word !== undefined && word === other) {
      pieces.push({ text: word, in: "both" });
      i++;
      j++;
    } else if (word !== undefined && (other === undefined || at(i + 1, j) >= at(i, j + 1))) {
      pieces.push({ text: word, in: "before" });
      i++;
    } else {
      pieces.push({ text: other as string, in: "after" });
      j++;
    }
  }
  return pieces;
}

/** Joins neighbours of one kind. */
function joined(pieces: Piece[]): Piece[] {
  const found: Piece[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    if (last?.in === piece.in) last.text += piece.text;
    else found.push({ ...piece });
  }
  return found;
}
