import type { TraceQuery } from "@tidings/contract/inapp/explain";
import { findPersonByKey } from "../../people/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { notFound } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { loadVersions, type Versioned } from "../definition/compiled.ts";
import type { GateResult } from "../rules/gates.ts";
import { type ContextAt, gatesOf, heldBy, nextEligibleAt } from "../sync/gate-results.ts";
import type { ReportedContext } from "../sync/sync.ts";
import { type LastSync, type TestDelivery, testDelivery } from "../sync/trace-store.ts";
import { contextReader, evaluationTime } from "./explain.ts";

/**
 * Returns what became of a test send so far, and which gates hold it back in the context of the query. What the query leaves out is
 * taken from the person's last sync.
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
  const [person, contextAt, [version]] = await Promise.all([
    findPersonByKey(db, workspace.id, row.person_key),
    contextReader(db, workspace, row.person_key, contextOf(query, row.last_sync)),
    loadVersions(db, workspace.id, [row]),
  ]);
  const one = { row, version };
  const gates = traceGates(one, contextAt, evaluationTime(query, clock));
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
    next_eligible_at: held.length > 0 ? (nextEligibleAt(one, contextAt, gates)?.toISOString() ?? null) : null,
    last_sync: row.last_sync,
  };
}

/**
 * The query's context, completed from the last sync. Zone and offset belong together: a query with either of them keeps both as
 * they are.
 */
function contextOf({ screen, timezone, tz_offset_minutes }: TraceQuery, last: LastSync | null): ReportedContext {
  const zoned = timezone !== undefined || tz_offset_minutes !== undefined;
  return {
    screen: screen ?? last?.screen ?? undefined,
    timezone: zoned ? timezone : (last?.timezone ?? undefined),
    tz_offset_minutes: zoned ? tz_offset_minutes : (last?.tz_offset_minutes ?? undefined),
  };
}

/** The gates of a test delivery. One that is over fails by its status alone: no other gate is evaluated. */
function traceGates(one: Versioned<TestDelivery>, contextAt: ContextAt, now: Date): GateResult[] {
  const { row } = one;
  if (row.live) return gatesOf(one, contextAt(now.getTime()));
  const why = row.reason === null ? "" : ` (${row.reason})`;
  return [{ gate: "status", pass: false, detail: `it is over: ${row.status}${why}`, facts: { status: row.status } }];
}
