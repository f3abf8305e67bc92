import { inShardsOf, lockOf, prepared, type Queries, sql, unquoted } from "../../platform/db/index.ts";
import type { Status } from "../delivery/delivery.ts";
import { countsJoin, LIVE_COLUMNS, type LiveRow } from "../delivery/live-store.ts";
import type { GateResult } from "../rules/gates.ts";

/** The last sync that evaluated a test delivery, and its outcome. */
export interface LastSync {
  screen: string | null;
  timezone: string | null;
  tz_offset_minutes: number | null;
  returned: boolean;
  held_by: Pick<GateResult, "gate" | "detail">[];
}

export interface TestSync extends LastSync {
  personKey: string;
  id: string;
  at: Date;
}

/**
 * Notes syncs of test deliveries; each id must be in the list once. It skips a row that another transaction has locked: the row
 * is being shown, recalled or ended, and that must not wait for a note or deadlock with several. Returns the ids that were noted.
 */
export async function noteTestSyncs(q: Queries, syncs: TestSync[]): Promise<Set<string>> {
  const kept = syncs.map(({ personKey: _key, id: _id, at, ...rest }) =>
    JSON.stringify({ at: at.toISOString(), ...rest }),
  );
  const lock = lockOf(q, sql`for update of d skip locked`);
  const theirs = inShardsOf(
    q,
    "d.person_key",
    syncs.map((one) => one.personKey),
  );
  const rows = await q.query<{ id: string }>(
    prepared(
      "inapp.noteTestSyncs",
      sql`
      with noted as (
        select d.person_key, d.id, t.fetched_at, t.last_sync
        from unnest(
          (select ${unquoted(syncs.map((one) => one.personKey))}::uuid[]),
          (select ${unquoted(syncs.map((one) => one.id))}::uuid[]),
          (select ${unquoted(syncs.map((one) => (one.returned ? one.at : null)))}::timestamptz[]),
          (select ${kept}::jsonb[])
        ) as t (person_key, id, fetched_at, last_sync)
        join deliveries d on d.person_key = t.person_key and d.id = t.id ${theirs}
        ${lock})
      update deliveries d set fetched_at = coalesce(d.fetched_at, noted.fetched_at), last_sync = noted.last_sync
      from noted where d.person_key = noted.person_key and d.id = noted.id ${theirs}
      returning d.id`,
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

export interface TestDelivery extends LiveRow {
  person_key: string;
  status: Status;
  reason: string | null;
  live: boolean;
  queued_at: Date;
  fetched_at: Date | null;
  shown_at: Date | null;
  clicked_at: Date | null;
  dismissed_at: Date | null;
  last_sync: (LastSync & { at: string }) | null;
}

/** A test delivery of a message. A delivery that was shown counts as fetched, also where the note of the sync was skipped. */
export async function testDelivery(
  q: Queries,
  workspaceId: string,
  messageId: string,
  id: string,
): Promise<TestDelivery | undefined> {
  return (
    await q.query<TestDelivery>(sql`
      select ${LIVE_COLUMNS}, d.person_key, d.status, d.reason, d.live, d.queued_at,
        coalesce(d.fetched_at, d.shown_at) as fetched_at, d.shown_at, d.clicked_at, d.dismissed_at, d.last_sync
      from deliveries d ${countsJoin(q)}
      where d.id = ${id} and d.workspace_id = ${workspaceId} and d.message_id = ${messageId} and d.source = 'test'`)
  )[0];
}
