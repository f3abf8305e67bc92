import type { Copy } from "./merge-store.ts";

/** Deliveries to end, of each of the two. */
export interface Doubles {
  source: string[];
  target: string[];
}

/**
 * Of a broadcast that two people got who are one now, the copy that came further stays: what was sent or shown is not sent or
 * shown again. Where both wait it is the target's; where both are out there is nothing to take back.
 */
export function doubles(source: Copy[], target: Copy[]): Doubles {
  const theirs = Map.groupBy(target, (copy) => copy.broadcast);
  const found: Doubles = { source: [], target: [] };
  for (const mine of source) {
    for (const other of theirs.get(mine.broadcast) ?? []) {
      if (other.status === "queued" && mine.status !== "queued") found.target.push(other.id);
      else found.source.push(mine.id);
    }
  }
  return found;
}
