import { isPassing, type Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { encodeId } from "../../platform/ids.ts";

/** The pause after a failure, such as an audience that can't be evaluated, or whose filter takes too long. */
const FAILED_MS = 300_000;

export type WorkGround = Pick<Ground, "workDb" | "clock" | "log">;

/** Work for a campaign that is due at a time. */
export interface DueWork<T> {
  /** What is logged when it fails. */
  failed: string;
  /** Locks and returns the work that is due. */
  take(tx: Tx, now: Date): Promise<T | undefined>;
  work(tx: Tx, taken: T, now: Date): Promise<void>;
  putOff(tx: Tx, taken: T, until: Date): Promise<unknown>;
}

/**
 * Does the work that is due next, in one transaction. Work that fails is put off, so that it does not delay other campaigns. Returns whether
 * there was some.
 */
export async function doNext<T extends { campaign_id: string }>(
  { workDb, clock, log }: WorkGround,
  { failed, take, work, putOff }: DueWork<T>,
): Promise<boolean> {
  const now = clock.now();
  let taken: T | undefined;
  try {
    return await workDb.transaction(async (tx) => {
      taken = await take(tx, now);
      if (taken) await work(tx, taken, now);
      return taken !== undefined;
    });
  } catch (error) {
    const one = taken;
    // The fault is not the work's: the loop repeats it after a second.
    if (!one || isPassing(error)) throw error;
    log.warn({ err: String(error), campaign_id: encodeId("cmp", one.campaign_id) }, failed);
    await workDb.transaction((tx) => putOff(tx, one, new Date(now.getTime() + FAILED_MS)));
    return true;
  }
}
