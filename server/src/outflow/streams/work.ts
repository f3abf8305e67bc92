import type { Ground } from "../../platform/ground.ts";
import { encodeId } from "../../platform/ids.ts";
import { UNTIL_DUE } from "../../platform/work/due.ts";
import { type Lease, Leases } from "../../platform/work/leases.ts";
import { type Loop, startLoop } from "../../platform/work/loop.ts";
import {
  type ClaimedCursor,
  claimDue,
  isDue,
  LEASE_SECONDS,
  releaseCursors,
  renewCursors,
  takeBackCursors,
} from "./cursor-store.ts";
import { showStreams } from "./monitoring.ts";
import { sendNext } from "./send.ts";

/** The signal that a destination was added or enabled. The table is the truth. */
export const DESTINATIONS_CHANGED = "outflow.changed";

/** Batches at once: each has up to 8 MiB in memory, and reads with the connections of exports. */
const MOST_AT_ONCE = 4;
/** How long a stop waits for calls under way, and then for the calls that it aborts. The whole process has 10 s. */
const GRACE_MS = 4_000;
const ABORT_MS = 2_000;

// A stream's row says where it is, and is leased while a batch of it is made. A batch is read, its end is noted, it is stored at the
// far end, and the stream moves behind it. If a process dies in between, another one makes the same batch under the same name.

/** Starts to stream out in this process. */
export function startDestinations(ground: Ground): Pick<Loop, "stop"> {
  const { workDb } = ground;
  const ending = new AbortController();
  const leases = new Leases<ClaimedCursor>({
    seconds: LEASE_SECONDS,
    release: (claimed) => releaseCursors(workDb, claimed),
    renew: (claimed) => renewCursors(workDb, claimed),
  });
  let working = 0;

  async function work(lease: Lease<ClaimedCursor>): Promise<void> {
    try {
      lease.begun = true;
      await sendNext(ground, lease, ending.signal);
    } catch (error) {
      const { destinationId, table } = lease.item;
      const fields = { destination_id: encodeId("exd", destinationId), table, err: String(error) };
      if (!ending.signal.aborted) ground.log.warn(fields, "a batch could not be exported");
    } finally {
      working--;
      loop.wake();
    }
  }

  async function round(): Promise<number> {
    await leases.takeBack((lost) => takeBackCursors(workDb, lost));
    const most = MOST_AT_ONCE - working;
    if (most <= 0) return UNTIL_DUE;
    const { items, since } = await leases.claim((leaseId) => claimDue(workDb, leaseId, most));
    for (const item of items) {
      working++;
      leases.hold(item, since, work);
    }
    return UNTIL_DUE;
  }

  const loop = startLoop(ground, {
    what: "export destinations",
    wakeOn: { [DESTINATIONS_CHANGED]: () => true },
    isDue,
    round,
  });
  showStreams(ground);
  return {
    async stop() {
      await loop.stop();
      await leases.stop(GRACE_MS);
      ending.abort();
      await leases.finish(ABORT_MS);
    },
  };
}
