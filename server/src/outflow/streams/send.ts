import type { Ground } from "../../platform/ground.ts";
import { encodeId } from "../../platform/ids.ts";
import { waitAfter } from "../../platform/outbound-http/index.ts";
import { inExportTurns } from "../../platform/transfer/export-file.ts";
import { type Lease, writeEnd } from "../../platform/work/leases.ts";
import { keptSince } from "../../workspaces/index.ts";
import { type Batch, readBatch } from "./batch.ts";
import { type ClaimedCursor, markFailed, markGap, markNow, moveOn, planBatch, releaseCursors } from "./cursor-store.ts";
import { type Body, type FarEnd, FarEndError } from "../far-ends/far-end.ts";
import { farEndOf } from "../far-ends/kinds.ts";
import { nameOf, type StreamPlace, reaches } from "./place.ts";

/** The waits after failed attempts; the last one is repeated for as long as it fails. */
const WAITS = [5, 15, 60, 300, 900].map((seconds) => seconds * 1_000);
/** Old transactions end soon, or the database has other trouble. */
const BLOCKED_MS = 1_000;
const OWN_FAULT_MS = 5_000;

/** Makes the next batch of a stream: reads it, stores it at the far end, and moves the stream behind it. */
export async function sendNext(ground: Ground, lease: Lease<ClaimedCursor>, signal: AbortSignal): Promise<void> {
  const claimed = lease.item;
  const { workDb, clock } = ground;
  try {
    await tellGap(ground, claimed);
    const mark = await markNow(workDb, clock.now());
    const farEnd = farEndOf(ground, claimed.destinationId, claimed);
    const body = farEnd.begin(claimed.table);
    const batch = await read(ground, claimed, body);
    if (!batch) return await releaseCursors(workDb, [claimed], BLOCKED_MS);
    if (batch.rows > 0 && !(await store(ground, claimed, { farEnd, body, to: batch.to, signal }))) return;
    const { place, sentUntil } = progress(claimed, batch, mark);
    const waitMs = batch.more ? 0 : claimed.intervalSeconds * 1_000;
    const end = { place, rows: batch.rows, sentUntil, waitMs };
    await writeEnd(lease, () => moveOn(workDb, claimed, { ...end, now: clock.now() }));
    ground.metrics.exportedRows.inc({ table: claimed.table, kind: claimed.kind }, batch.rows);
  } catch (error) {
    if (signal.aborted || !(error instanceof FarEndError)) {
      await releaseCursors(workDb, [claimed], signal.aborted ? 0 : OWN_FAULT_MS);
      throw error;
    }
    await failed(ground, lease, error);
  }
}

function read(
  ground: Ground,
  { workspaceId, table, place, planned }: ClaimedCursor,
  body: Body,
): Promise<Batch | undefined> {
  const lagging = inExportTurns({ ...ground, ...ground.lagging }, workspaceId);
  const primary = inExportTurns(ground, workspaceId);
  return readBatch({ lagging, primary }, { workspaceId, table, from: place, to: planned?.to }, body);
}

/** A batch that was read. */
interface ReadBatch {
  farEnd: FarEnd;
  body: Body;
  to: StreamPlace;
  signal: AbortSignal;
}

/** Stores a batch at the far end, after its end is noted: a repeat has the same range and name. False if the lease is lost. */
async function store(
  ground: Ground,
  claimed: ClaimedCursor,
  { farEnd, body, to, signal }: ReadBatch,
): Promise<boolean> {
  const planned = claimed.planned ?? { to, day: ground.clock.now().toISOString().slice(0, 10) };
  if (!claimed.planned && (await planBatch(ground.workDb, claimed, planned)) === 0) return false;
  const name = nameOf(claimed, claimed.place, planned.to);
  await farEnd.send({ table: claimed.table, day: planned.day, name, body: await body.end(), signal });
  return true;
}

/** Returns where a stream is after a batch, and until when all is sent. @param mark the moment before the batch was read */
function progress(
  { place: from, sentUntil }: Pick<ClaimedCursor, "place" | "sentUntil">,
  { to, more, at }: Pick<Batch, "to" | "more" | "at">,
  mark: { txid: string; at: string },
): { place: StreamPlace; sentUntil: Date | null } {
  if (!("log" in to)) return { place: to, sentUntil };
  // While it catches up, the last row tells how far it is.
  const later = (one: Date | null, other: Date | null) => (one && other && one > other ? one : (other ?? one));
  if (more) return { place: to, sentUntil: later(sentUntil, at ?? null) };
  const old = "log" in from ? from.mark : undefined;
  const passed = [mark, old].find((one) => one && reaches(to.log.txid, { txid: one.txid, id: OF_ALL }));
  return {
    place: { ...to, mark: passed || !old ? mark : old },
    sentUntil: passed ? later(sentUntil, new Date(passed.at)) : sentUntil,
  };
}
const OF_ALL = "00000000-0000-0000-0000-000000000000";

/** Returns since when all is kept that a stream reads. Deliveries are followed by the log, which may be kept for a shorter time. */
function firstKept(claimed: ClaimedCursor, now: Date): Date {
  const kept = keptSince(claimed, claimed.table, now);
  const logged = keptSince(claimed, "activity", now);
  return claimed.table === "deliveries" && logged > kept ? logged : kept;
}

/** Says so if retention is about to overtake a stream. */
async function tellGap(ground: Ground, claimed: ClaimedCursor): Promise<void> {
  const { sentUntil, table, destinationId, place } = claimed;
  const kept = firstKept(claimed, ground.clock.now());
  if (!("log" in place) || sentUntil === null || sentUntil >= kept) return;
  await markGap(ground.workDb, claimed, { from: sentUntil, until: kept });
  const fields = { destination_id: encodeId("exd", destinationId), table, from: sentUntil, until: kept };
  ground.log.warn(fields, "retention may have removed rows before they were exported");
}

async function failed(ground: Ground, lease: Lease<ClaimedCursor>, error: FarEndError): Promise<void> {
  const claimed = lease.item;
  const attempts = Math.min(claimed.attempts + 1, WAITS.length);
  const waitMs = waitAfter(WAITS, attempts, Math.random(), error.restMs) as number;
  const fields = { destination_id: encodeId("exd", claimed.destinationId), table: claimed.table, err: error.message };
  if (claimed.attempts === 0) ground.log.warn(fields, "an export destination did not take a batch");
  ground.metrics.exportFailures.inc({ kind: claimed.kind });
  await writeEnd(lease, () =>
    markFailed(ground.workDb, claimed, { error: error.message, waitMs, now: ground.clock.now() }),
  );
}
