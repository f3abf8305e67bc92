import { eventOf, type FeedEvent, type Position, readFeed } from "../activity/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { encodeCursor } from "../platform/http/index.ts";

/** An entry of the log as its stream shows it, and its position. */
export interface Written extends Position {
  text: string;
}

/** Entries after one position and up to another, in their order. */
export interface Part {
  entries: Written[];
  next: Position;
  /** Whether more can be read now. */
  more: boolean;
}

/** The most entries that are read at once. As many are remembered for each workspace: about 1 MB. A stream further behind reads the log itself. */
export const MOST_READ = 2_000;

/** Negative, 0 or positive as `a` is before, at or after `b`. Transaction ids have up to 20 digits. */
export const inOrder = (a: Position, b: Position): number =>
  a.txid.length - b.txid.length || compared(a.txid, b.txid) || compared(a.id, b.id);

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Reads the next entries after a position. */
export async function readPart(
  q: Queries,
  workspaceId: string,
  { after, limit }: { after: Position; limit: number },
): Promise<Part> {
  const { events, next, more } = await readFeed(q, workspaceId, { after, types: [], limit });
  return { entries: events.map(written), next, more };
}

const written = (event: FeedEvent): Written => ({
  txid: event.txid,
  id: event.id,
  text: `id: ${idOf(event)}\nevent: activity\ndata: ${JSON.stringify(eventOf(event))}\n\n`,
});

/** The `Last-Event-ID` of a position: also a cursor of GET /events. */
export const idOf = ({ txid, id }: Position): string => encodeCursor([txid, id]);

/** The newest entries of a workspace, read once for all of its streams. */
export class Tail {
  #entries: Written[] = [];
  #from: Position;
  #to: Position;

  constructor(at: Position) {
    this.#from = at;
    this.#to = at;
  }

  /** The position up to which entries are known. */
  get end(): Position {
    return this.#to;
  }

  /** Adds what was read after the end. */
  add({ entries, next }: Part): void {
    this.#entries.push(...entries);
    this.#to = next;
    const over = this.#entries.splice(0, Math.max(0, this.#entries.length - MOST_READ)).at(-1);
    if (over) this.#from = over;
  }

  /** Returns the known entries after a position; undefined if some after it are not known any more. */
  after(position: Position): Part | undefined {
    if (inOrder(position, this.#from) < 0) return undefined;
    if (inOrder(position, this.#to) >= 0) return { entries: [], next: position, more: false };
    const first = this.#entries.findIndex((entry) => inOrder(entry, position) > 0);
    return { entries: first < 0 ? [] : this.#entries.slice(first), next: this.#to, more: false };
  }
}
