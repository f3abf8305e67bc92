import type { Ground } from "../../platform/ground.ts";
import { BATCH, inBatches, runTime } from "../../platform/work/batches.ts";
import { allWorkspaces, keptSince } from "../../workspaces/index.ts";
import { durationMs } from "../../platform/time/duration.ts";
import { announceExpired } from "../delivery/expired.ts";
import { QUEUED } from "./queue.ts";
import { forgetCaps, forgetCounts, retireOld } from "./retention-store.ts";

const NONE = "00000000-0000-0000-0000-000000000000";

/**
 * Expires live in-app deliveries that are older than their workspace keeps deliveries, for the reason `retention`. Open
 * applications get a signal, as for a recall, and no longer get these messages.
 */
export async function retire({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const time = runTime();
  const now = clock.now();
  for (const workspace of await allWorkspaces(workDb)) {
    const before = keptSince(workspace, "deliveries", now);
    await inBatches(workDb, time, async (tx) => {
      const rows = await retireOld(tx, workspace.id, { before, now, limit: BATCH });
      if (rows.length === 0) return false;
      await announceExpired(tx, rows, now);
      tx.signal(
        QUEUED,
        rows.map((row) => `${row.person_key}:${row.id}`),
      );
      return rows.length === BATCH;
    });
  }
}

/**
 * Deletes the cap records that no cap needs any more. They have no workspace, so the longest `activity` and the longest
 * `min_interval` of all workspaces decide.
 */
export async function forgetIdleCaps({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const now = clock.now();
  const since = (await allWorkspaces(workDb)).map((workspace) => {
    const interval = workspace.in_app_cap?.min_interval;
    const kept = keptSince(workspace, "activity", now).getTime();
    return interval ? Math.min(kept, now.getTime() - durationMs(interval)) : kept;
  });
  const before = new Date(Math.min(...since, now.getTime()));
  let after: string | undefined = NONE;
  await inBatches(workDb, runTime(), async (tx) => {
    after = await forgetCaps(tx, before, after ?? NONE, BATCH);
    return after !== undefined;
  });
}

/**
 * Deletes the counts of messages of which a person has only deliveries that are over, once no workspace keeps deliveries that are
 * as old as the last impression. Like the cap records, the counts have no workspace.
 */
export async function forgetIdleCounts({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const now = clock.now();
  const since = (await allWorkspaces(workDb)).map((workspace) => keptSince(workspace, "deliveries", now).getTime());
  const before = new Date(Math.min(...since, now.getTime()));
  let after: [string, string] | undefined = [NONE, NONE];
  await inBatches(workDb, runTime(), async (tx) => {
    after = await forgetCounts(tx, before, after ?? [NONE, NONE], BATCH);
    return after !== undefined;
  });
}
