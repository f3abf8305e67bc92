/** The part of an entry that tells which message it is about, and when. */
interface OfMessage {
  at: string;
  delivery_id: string | null;
}

/** How long after a message's earlier entry one of it is still shown with that: from queued to delivered takes seconds. */
const TOGETHER_MS = 10 * 60_000;

/**
 * Puts together what happened to one message within ten minutes, at the place of the latest. Entries come and go newest first; one that is
 * later, such as a click of the next day, stays where it is.
 */
export function folded<T extends OfMessage>(entries: readonly T[]): [latest: T, ...earlier: T[]][] {
  const rows: [T, ...T[]][] = [];
  const open = new Map<string, [T, ...T[]]>();
  for (const entry of entries) {
    const { delivery_id: id, at } = entry;
    const row = id === null ? undefined : open.get(id);
    const last = row?.at(-1);
    if (row && last && Date.parse(last.at) - Date.parse(at) <= TOGETHER_MS) {
      row.push(entry);
      continue;
    }
    const fresh: [T, ...T[]] = [entry];
    rows.push(fresh);
    if (id !== null) open.set(id, fresh);
  }
  return rows;
}
