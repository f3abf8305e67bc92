import type { ExplainQuery, Gate } from "@tidings/contract/inapp/explain";
import { findPeople } from "../../people/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { decodeCursor, Problem, page } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { inListTurns } from "../../platform/resources/interactive.ts";
import { type Clock, parseInstant } from "../../platform/time/clock.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { loadVersions, type Versioned } from "../definition/compiled.ts";
import { capsOf } from "../delivery/caps-store.ts";
import { firstLive, liveAfter } from "../delivery/live-store.ts";
import { statesOf } from "../delivery/store.ts";
import { heldUntil } from "../rules/cap.ts";
import { type ContextAt, gatesOf, type LiveDelivery, nextEligibleAt } from "../sync/gate-results.ts";
import type { InAppGround, NearMiss } from "../sync/near-misses.ts";
import { type ReportedContext, syncContextOf } from "../sync/sync.ts";

/** The most near misses in one response: as many as somebody can read. */
const SHOWN_MISSES = 20;

/**
 * Explains why a person's messages show or do not show: each live delivery in sync's order, with the result of each gate. It reads
 * the same rows and evaluates the same rules as sync, so the eligible deliveries are those that sync returns, up to its `limit`.
 * @throws Problem person_not_found, with the ids that devices really used; invalid_request
 */
export async function explain(ground: InAppGround, workspace: Workspace, personId: string, query: ExplainQuery) {
  const q = inListTurns(ground, workspace.id);
  const after = decodeCursor(query.cursor, "uuid")?.[0];
  const [person] = await findPeople(q, [{ workspaceId: workspace.id, id: personId }]);
  if (!person) throw await unknownPerson(ground, workspace.id);
  const { limit = 50 } = query;
  const first = { personKey: person.person_key, want: limit + 1 };
  const rows = after === undefined ? ((await firstLive(q, [first]))[0] ?? []) : await liveAfter(q, { ...first, after });
  const [states, versions] = await Promise.all([
    statesOf(
      q,
      rows.map(({ id }) => ({ personKey: person.person_key, id })),
    ),
    loadVersions(q, workspace.id, rows),
  ]);
  const live = rows.map((row, i) => ({
    row: { ...row, status: states[i]?.status ?? "queued" },
    version: versions[i],
  }));
  const contextAt = await contextReader(q, workspace, person.person_key, query);
  const now = evaluationTime(query, ground.clock);
  return page(
    live,
    limit,
    ({ row }) => [row.id],
    (one) => explanationOf(one, contextAt, now.getTime()),
  );
}

/** Returns a function that computes the person's sync context at a time, including the workspace's cap. */
export async function contextReader(
  q: Queries,
  workspace: Workspace,
  personKey: string,
  reported: ReportedContext,
): Promise<ContextAt> {
  const cap = workspace.in_app_cap;
  const times = cap ? ((await capsOf(q, [personKey])).get(personKey)?.times ?? []) : [];
  return (at) => {
    const context = syncContextOf(workspace, reported, new Date(at));
    if (cap) context.cappedUntil = heldUntil(cap, times, at);
    return context;
  };
}

/** The time to explain: the query's `at`, else now. */
export const evaluationTime = ({ at }: { at?: string }, clock: Clock): Date =>
  (at === undefined ? undefined : parseInstant(at)) ?? clock.now();

async function unknownPerson(ground: InAppGround, workspaceId: string): Promise<Problem> {
  const misses = (await ground.nearMisses.of(workspaceId)).slice(0, SHOWN_MISSES);
  return new Problem(
    "person_not_found",
    "The workspace knows no person with this person_id. near_misses are ids that devices synced with in the last hour.",
    { extra: { near_misses: misses.map(shapeMiss) } },
  );
}

export const shapeMiss = (miss: NearMiss) => ({ ...miss, last_seen: miss.last_seen.toISOString() });

/** The beginning of the reason for each gate that fails; the detail follows. */
const FAILURES: Record<Gate, string> = {
  screen: "It is not for this screen",
  quiet_hours: "It is quiet time",
  expiry: "It has expired",
  impressions: "It was shown as often as it may be",
  interval: "It was shown not long enough ago",
  cap: "This person was shown as much as the workspace allows",
  status: "It can't be shown",
};

function explanationOf(one: Versioned<LiveDelivery>, contextAt: ContextAt, now: number) {
  const { row } = one;
  const gates = gatesOf(one, contextAt(now));
  const failing = gates.find((result) => !result.pass);
  return {
    delivery_id: encodeId("dlv", row.id),
    message_id: encodeId("msg", row.message_id),
    eligible: failing === undefined,
    reason: failing ? `${FAILURES[failing.gate]}: ${failing.detail}.` : null,
    gates: gates.map(({ gate, pass, detail, facts }) => ({ gate, pass, detail, facts })),
    next_eligible_at: failing ? (nextEligibleAt(one, contextAt, gates)?.toISOString() ?? null) : null,
  };
}
