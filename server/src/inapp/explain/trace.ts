import type { TraceQuery } from "@tidings/contract/inapp/explain";
import { findPersonByKey } from "../../people/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { notFound } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { loadVersions } from "../definition/version.ts";
import type { Verdict } from "../rules/gates.ts";
import { gatesOf, heldBy, type LookAt, opensAt } from "../sync/standing.ts";
import type { Place } from "../sync/sync.ts";
import { type LastSync, type TestDelivery, testDelivery } from "../sync/trace-store.ts";
import { looking, whenOf } from "./explain.ts";

/**
 * What became of a test send so far, and what holds it back: looked at from where the query says, and where it says nothing
 * from where the person's last sync did.
 * @throws Problem not_found
 */
export async function trace(
  { db, clock }: Pick<Ground, "db" | "clock">,
  workspace: Workspace,
  ids: { messageId: string; deliveryId: string },
  query: TraceQuery,
) {
  const row = await testDelivery(db, workspace.id, ids.messageId, ids.deliveryId);
  if (!row) throw notFound("test send");
  const [person, lookAt] = await Promise.all([
    findPersonByKey(db, workspace.id, row.person_key),
    looking(db, workspace, row.person_key, placeOf(query, row.last_sync)),
    loadVersions(db, workspace.id, [row]),
  ]);
  const gates = standingOf(row, lookAt, whenOf(query, clock));
  const held = heldBy(gates);
  return {
    delivery_id: encodeId("dlv", row.id),
    message_id: encodeId("msg", row.message_id),
    person_id: person?.person_id ?? null,
    status: row.status,
    queued_at: row.queued_at.toISOString(),
    fetched_at: row.fetched_at?.toISOString() ?? null,
    shown_at: row.shown_at?.toISOString() ?? null,
    clicked_at: row.clicked_at?.toISOString() ?? null,
    dismissed_at: row.dismissed_at?.toISOString() ?? null,
    expires_at: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
    held_by: held,
    next_eligible_at: held.length > 0 ? (opensAt(row, lookAt, gates)?.toISOString() ?? null) : null,
    last_sync: row.last_sync,
  };
}

/** A zone and an offset name one place together: who gives either is not asked for the other. */
function placeOf({ screen, timezone, tz_offset_minutes }: TraceQuery, last: LastSync | null): Place {
  const zoned = timezone !== undefined || tz_offset_minutes !== undefined;
  return {
    screen: screen ?? last?.screen ?? undefined,
    timezone: zoned ? timezone : (last?.timezone ?? undefined),
    tz_offset_minutes: zoned ? tz_offset_minutes : (last?.tz_offset_minutes ?? undefined),
  };
}

/** What is over is held by that alone: no other gate is asked any more. */
function standingOf(row: TestDelivery, lookAt: LookAt, now: Date): Verdict[] {
  if (row.live) return gatesOf(row, lookAt(now.getTime()));
  const why = row.reason === null ? "" : ` (${row.reason})`;
  return [{ gate: "status", pass: false, detail: `it is over: ${row.status}${why}` }];
}
