/** One item that waits to be sent to the other processes. */
export interface Waiting {
  topic: string;
  item: string;
}

/**
 * Packs items into few notices of at most `most` bytes: "head item item ...", each item once. Items and heads are ids, so each
 * character is one byte.
 */
export function packed(waiting: Waiting[], head: (entry: Waiting) => string, most: number): string[] {
  const open = new Map<string, string>();
  const full: string[] = [];
  for (const entry of new Map(waiting.map((one) => [`${one.topic} ${one.item}`, one])).values()) {
    const start = head(entry);
    const before = open.get(start) ?? start;
    if (before.length + entry.item.length + 1 > most) {
      full.push(before);
      open.set(start, `${start} ${entry.item}`);
    } else {
      open.set(start, `${before} ${entry.item}`);
    }
  }
  return [...full, ...open.values()];
}
