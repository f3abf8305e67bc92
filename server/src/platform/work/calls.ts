import { fairShare } from "../limits/fair-share.ts";
import { isOurs, type Lease, Leases } from "./leases.ts";
import { type Line, type LineRoom, lineRooms } from "./line-rooms.ts";

/** Concurrent calls of one line: enough for a quick receiver, and not too many for a slow one. */
const MOST_AT_ONCE = 8;
/** If a process dies, its claimed items are free after this time. A claimed item must be tried within it. */
export const LEASE_SECONDS = 60;
/** A call begins only if its lease lasts for this time: it may take 10 s, and no other process may make it meanwhile. */
const MARGIN_MS = 15_000;

/** How long a stop waits for calls under way, and then for the calls that it aborts. The whole process has 10 s. */
const GRACE_MS = 4_000;
const ABORT_MS = 2_000;

export interface CallsOptions<L extends Line, Item> {
  /** What the calls are, in the plural, for texts. */
  of: string;
  /** Leases due items for LEASE_SECONDS, for each line at most as many as it has room for. */
  claim(leaseId: string, rooms: LineRoom[]): Promise<Item[]>;
  /** Makes leased items due again that were not tried. */
  release(items: Item[]): Promise<unknown>;
  /** Makes the items of lost leases due again. */
  takeBack(leaseIds: string[], lineIds: string[]): Promise<unknown>;
  /** Returns the id of an item's line. */
  lineOf(item: Item): string;
  /** Makes the call and writes its outcome, while the lease lasts. */
  call(line: L, lease: Lease<Item>, signal: AbortSignal): Promise<void>;
  /** Is told of a call that threw: the item is due again when its lease ends. */
  onLost(line: L, error: unknown): void;
  /** Is told that a line that was full is half empty. */
  onRoom(): void;
}

/** Leased calls to receivers outside, which may be slow. A line that hangs fills only its own share, and a workspace only its own. */
export interface Calls<L extends Line, Item> {
  /** Leases due items and makes their calls, for each line as many as there is room for. */
  claim(lines: L[]): Promise<void>;
  /** Returns how many more items of each line fit. All of them fit together. Lines without room are left out. */
  rooms(lines: Line[]): LineRoom[];
  /** Accepts claimed items of a line and makes their calls. @param since when they were claimed, by performance.now() */
  take(line: L, claimed: Item[], since: number): void;
  /** Releases the items whose call has not begun, waits some seconds for calls under way, and aborts the rest. */
  stop(): Promise<void>;
}

export function createCalls<L extends Line, Item>(options: CallsOptions<L, Item>): Calls<L, Item> {
  const leases = new Leases<Item>({ seconds: LEASE_SECONDS, release: options.release });
  const held = lineRooms(() => options.onRoom());
  const unbounded = Number.POSITIVE_INFINITY;
  const turns = fairShare({ of: options.of, most: unbounded, each: MOST_AT_ONCE, held: unbounded });
  const ending = new AbortController();

  async function work(line: L, lease: Lease<Item>): Promise<void> {
    try {
      await turns.run(line.id, async () => {
        // Not called: the item is due again when the lease ends.
        if (!isOurs(lease, MARGIN_MS)) return;
        lease.begun = true;
        await options.call(line, lease, ending.signal);
      });
    } catch (error) {
      options.onLost(line, error);
    } finally {
      held.leave(line);
    }
  }

  const calls: Calls<L, Item> = {
    async claim(lines) {
      const byId = new Map(lines.map((line) => [line.id, line]));
      await leases.takeBack((lost) => options.takeBack(lost, [...byId.keys()]));
      const rooms = held.rooms(lines);
      if (rooms.length === 0) return;
      const { items, since } = await leases.claim((leaseId) => options.claim(leaseId, rooms));
      for (const [id, mine] of Map.groupBy(items, options.lineOf)) calls.take(byId.get(id) as L, mine, since);
    },
    rooms: held.rooms,
    take(line, claimed, since) {
      held.enter(line, claimed.length);
      for (const one of claimed) leases.hold(one, since, (lease) => work(line, lease));
    },
    async stop() {
      // A call that is aborted is repeated: without the wait, each deploy would make calls to slow receivers twice.
      await leases.stop(GRACE_MS);
      ending.abort();
      await leases.finish(ABORT_MS);
    },
  };
  return calls;
}
