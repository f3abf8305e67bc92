import type { ExplainQuery, Gate } from "@tidings/contract/inapp";
import { findPeople } from "../people/index.ts";
import { parseInstant } from "../platform/clock.ts";
import type { Ground } from "../platform/ground.ts";
import { decodeCursor, Problem, page } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import type { Workspace } from "../workspaces/index.ts";
import { capsOf } from "./caps-store.ts";
import { firstLive, type LiveRow, liveBehind } from "./live-store.ts";
import { type NearMiss, nearMissesOf } from "./near-misses.ts";
import { heldUntil } from "./rules/cap.ts";
import { type Look, type Verdict, verdicts } from "./rules/gates.ts";
import { type StateRow, statesOf } from "./store.ts";
import { lookOf } from "./sync.ts";
import { knownVersion, loadVersions } from "./version.ts";

/** As many of the near misses as a person can look through. */
const SHOWN_MISSES = 20;

/**
 * Why a person's messages show or do not show: each live delivery in sync's order, with the verdict of each gate. It reads
 * the same rows as sync and asks the same rules, so what is eligible here is what sync returns, up to its `limit`.
 * @throws Problem person_not_found, with the ids that devices really used; invalid_request
 */
export async function explain(ground: Ground, workspace: Workspace, personId: string, query: ExplainQuery) {
  const { db, clock } = ground;
  const after = decodeCursor(query.cursor, "uuid")?.[0];
  const [person] = await findPeople(db, [{ workspaceId: workspace.id, id: personId }]);
  if (!person) throw await unknownPerson(ground, workspace.id);
  const { limit = 50 } = query;
  const first = { personKey: person.person_key, want: limit + 1 };
  const rows =
    after === undefined ? ((await firstLive(db, [first]))[0] ?? []) : await liveBehind(db, { ...first, after });
  const [states] = await Promise.all([
    statesOf(
      db,
      rows.map(({ id }) => ({ personKey: person.person_key, id })),
    ),
    loadVersions(db, workspace.id, rows),
  ]);
  const statuses = new Map(rows.map(({ id }, i) => [id, states[i]]));
  const cap = workspace.in_app_cap;
  const times = cap ? ((await capsOf(db, [person.person_key])).get(person.person_key)?.times ?? []) : [];
  const lookAt = (at: number): Look => {
    const look = lookOf(workspace, query, new Date(at));
    if (cap) look.cappedUntil = heldUntil(cap, times, at);
    return look;
  };
  const now = (query.at === undefined ? undefined : parseInstant(query.at)) ?? clock.now();
  return page(
    rows,
    limit,
    (row) => [row.id],
    (row) => explained({ ...row, status: statuses.get(row.id)?.status ?? "queued" }, lookAt, now.getTime()),
  );
}

async function unknownPerson(ground: Ground, workspaceId: string): Promise<Problem> {
  const misses = (await nearMissesOf(ground).of(workspaceId)).slice(0, SHOWN_MISSES);
  return new Problem(
    "person_not_found",
    "The workspace knows no person with this person_id. near_misses are ids that devices synced with in the last hour.",
    { extra: { near_misses: misses.map(shapeMiss) } },
  );
}

export const shapeMiss = (miss: NearMiss) => ({ ...miss, last_seen: miss.last_seen.toISOString() });

type LookAt = (at: number) => Look;

/** Each gate as a sentence that begins with what is wrong; the detail follows. */
const WRONG: Record<Gate, string> = {
  screen: "It is not for this screen",
  quiet_hours: "It is quiet time",
  expiry: "It has expired",
  impressions: "It was shown as often as it may be",
  interval: "It was shown not long enough ago",
  cap: "This person was shown as much as the workspace allows",
  status: "It can't be shown",
};

type Row = LiveRow & Pick<StateRow, "status">;

function explained(row: Row, lookAt: LookAt, now: number) {
  const gates = gatesOf(row, lookAt(now));
  const failing = gates.find((verdict) => !verdict.pass);
  return {
    delivery_id: encodeId("dlv", row.id),
    message_id: encodeId("msg", row.message_id),
    eligible: failing === undefined,
    reason: failing ? `${WRONG[failing.gate]}: ${failing.detail}.` : null,
    gates: gates.map(({ gate, pass, detail }) => ({ gate, pass, detail })),
    next_eligible_at: failing ? (opensAt(row, lookAt, gates)?.toISOString() ?? null) : null,
  };
}

function gatesOf(row: Row, look: Look): Verdict[] {
  const version = knownVersion(row.message_id, row.message_version);
  if (!version) return [{ gate: "status", pass: false, detail: "the version of its definition is gone" }];
  return [...verdicts(version, row, look), { gate: "status", pass: true, detail: row.status }];
}

/** Quiet hours may begin before a pause is over and a message may expire meanwhile: looked at again at each opening. */
const MOST_OPENINGS = 10;

/** When time alone lets every gate pass; undefined where it never does, or only something else can. */
function opensAt(row: Row, lookAt: LookAt, gates: Verdict[]): Date | undefined {
  let verdicts = gates;
  let at: Date | undefined;
  for (let i = 0; i < MOST_OPENINGS; i++) {
    const failing = verdicts.filter((verdict) => !verdict.pass);
    if (failing.length === 0) return at;
    const openings = failing.map((verdict) => verdict.nextEligibleAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const latest = Math.max(...openings);
    if (latest === Number.POSITIVE_INFINITY) return undefined;
    at = new Date(latest);
    verdicts = gatesOf(row, lookAt(latest));
  }
  return undefined;
}
