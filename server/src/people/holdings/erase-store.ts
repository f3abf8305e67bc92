import { type Queries, sql } from "../../platform/db/index.ts";

/**
 * Ends what is still to be sent or shown, and empties all that was. The rows stay, so that the counts of what was sent stay
 * true. A worker that is just sending one loses its lease and can't write the content back. Gives those that were live.
 */
export async function emptyDeliveries(tx: Queries, workspaceId: string, personKey: string): Promise<string[]> {
  await tx.execute(sql`
    delete from outbox where workspace_id = ${workspaceId} and delivery_id in (
      select id from deliveries where person_key = ${personKey})`);
  const live = await tx.query<{ id: string }>(
    sql`select id from deliveries where person_key = ${personKey} and live for update`,
  );
  await tx.execute(sql`
    update deliveries set
      status = case when live or status in ('queued', 'sending') then 'canceled' else status end,
      reason = case when live or status in ('queued', 'sending') then 'erased' else reason end,
      live = false, due_at = null, lease_id = null, content = null, recipient = null
    where person_key = ${personKey}`);
  return live.map((row) => row.id);
}

/** On the suppression list only the salted hash stays: the address still gets nothing, and nobody can read it. */
export const forgetAddresses = (tx: Queries, workspaceId: string, addresses: string[]): Promise<number> =>
  tx.execute(
    sql`update suppressions set address = null where workspace_id = ${workspaceId} and address = any(${addresses}::text[])`,
  );

/** Putting an address on the suppression list may be repeated with its Idempotency-Key, and its answer is kept for that. */
export const forgetAnswers = (tx: Queries, workspaceId: string, addresses: string[]): Promise<number> =>
  tx.execute(sql`
    update idempotency_keys set answer = jsonb_set(answer, '{address}', 'null')
    where workspace_id = ${workspaceId} and route = 'POST /api/v1/suppressions' and answer ->> 'address' = any(${addresses}::text[])`);

/** Of the log only what counts deliveries stays, without what it said. */
export async function emptyActivity(tx: Queries, personKey: string): Promise<void> {
  await tx.execute(sql`delete from activity where person_key = ${personKey} and delivery_id is null`);
  await tx.execute(sql`update activity set data = '{}' where person_key = ${personKey}`);
}

/** Calls that wait say what the event feed says from now on: that something happened, and to nobody. Answers may have echoed. */
export const emptyCalls = (tx: Queries, personKey: string): Promise<number> =>
  tx.execute(sql`
    update webhook_deliveries set log = '[]', payload = jsonb_set(payload::jsonb, '{data}',
      (payload::jsonb -> 'data') || '{"person_id": null, "recipient": null, "details": {}}')::text
    where person_key = ${personKey}`);

/** Marks a person as erased, so that nothing late brings them back. */
export const bury = (tx: Queries, workspaceId: string, personKey: string, now: Date): Promise<number> =>
  tx.execute(sql`
    insert into erased_people (person_key, workspace_id, erased_at) values (${personKey}, ${workspaceId}, ${now})
    on conflict (person_key) do update set erased_at = excluded.erased_at`);

/** Those erased since, who were not identified again. */
export const erasedSince = (q: Queries, since: Date): Promise<{ person_key: string; workspace_id: string }[]> =>
  q.query(sql`select person_key, workspace_id from erased_people where erased_at >= ${since} order by person_key`);

/** Locks the mark of an erased person; false where it is gone, because somebody identified the person again. */
export async function stillErased(tx: Queries, personKey: string): Promise<boolean> {
  return (await tx.query(sql`select from erased_people where person_key = ${personKey} for update`)).length === 1;
}

export const forgetErased = (q: Queries, before: Date): Promise<number> =>
  q.execute(sql`delete from erased_people where erased_at < ${before}`);
