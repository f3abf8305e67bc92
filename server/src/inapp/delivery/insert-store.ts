import { logged, type Logged, logInShards, type StepOrigin } from "../../activity/index.ts";
import {
  currentTransaction,
  empty,
  given,
  prepared,
  type Queries,
  rowsToCheck,
  type Sql,
  sql,
  type Tx,
} from "../../platform/db/index.ts";

// New deliveries of in-app, many at once.

export interface NewDelivery {
  personKey: string;
  id: string;
  /** Why it failed; null where it is queued. */
  reason: string | null;
  /** The rendered content as JSON; null where it is the version's, the same for everyone. */
  content: string | null;
  /** Fields of its log entry besides the source; null: it needs no row of the log. */
  note: Record<string, unknown> | null;
}

export interface NewBatch {
  workspaceId: string;
  source: "broadcast" | "campaign" | "test";
  sourceId: string | null;
  step: StepOrigin | null;
  variant: string | null;
  topicId: string | null;
  messageId: string;
  version: number;
  priority: number;
  /** Whether it is listed in the inbox. */
  inbox: boolean;
  /** Whether its limits count all deliveries of the message that a person has. */
  sharedLimits: boolean;
  expiresAt: Date | null;
  now: Date;
}

/**
 * Inserts deliveries for many people at once. Each one that is queued is its own entry in the log; one with a note gets a row of the log. Returns whether a
 * delivery is new: one that exists belongs to a batch that is repeated.
 */
export async function insertDeliveries(tx: Tx, batch: NewBatch, rows: NewDelivery[]): Promise<(id: string) => boolean> {
  const noted = rows.filter((row) => row.note !== null);
  const insert = inserted(tx, batch, { rows, txid: await currentTransaction(tx) });
  if (tx.distributed) {
    const made = new Set((await tx.query<{ id: string }>(sql`${insert} returning id`)).map((row) => row.id));
    const entries = noted.filter((row) => made.has(row.id)).map((row) => entryOf(batch, row));
    await logInShards(tx, entries, batch.now);
    return (id) => made.has(id);
  }
  // Nearly always all are new. Then no id comes back.
  const [found] = await tx.query<{ ids: string[] | null }>(
    prepared(
      noted.length === 0 ? "inapp.insertDeliveries" : "inapp.insertAndLog",
      sql`
      with made as (${insert} returning person_key, id, status)
      ${noted.length === 0 ? empty : sql`, log as (${loggedOf(batch, noted)})`}
      select case when count(*) < ${rows.length} then coalesce(array_agg(id), '{}') end as ids from made`,
    ),
  );
  const made = found?.ids ? new Set(found.ids) : undefined;
  return (id) => made?.has(id) ?? true;
}

function loggedOf(batch: NewBatch, noted: NewDelivery[]): Sql {
  const notes = Object.fromEntries(noted.map((row) => [row.id, entryOf(batch, row).data]));
  const entries = sql`
        select m.person_key, m.id, 'in_app.' || m.status as type, n.value as data
        from made m join jsonb_each(${JSON.stringify(notes)}::jsonb) n on n.key::uuid = m.id`;
  return logged(entries, { workspaceId: batch.workspaceId, at: batch.now });
}

const entryOf = ({ workspaceId, source }: NewBatch, { personKey, id, reason, note }: NewDelivery): Logged => ({
  person_key: personKey,
  id,
  workspace_id: workspaceId,
  type: `in_app.${reason === null ? "queued" : "failed"}`,
  data: { source, ...note },
});

const inserted = (tx: Queries, batch: NewBatch, { rows, txid }: { rows: NewDelivery[]; txid: Sql }): Sql => sql`
        insert into deliveries (
          person_key, id, workspace_id, channel, source, source_id, step_id, step_position, variant,
          status, reason, queued_at, content, message_id, message_version,
          live, inbox, priority, shared_limits, expires_at, topic_id, queued_txid)
        ${rowsToCheck(
          tx,
          rows,
          {
            person_key: given.uuid((row) => row.personKey),
            id: given.uuid((row) => row.id),
            reason: given.text((row) => row.reason),
            content: given.json((row) => row.content),
            noted: given.boolean((row) => row.note !== null),
          },
          (t) => sql`
          ${t.person_key}, ${t.id}, ${batch.workspaceId}::uuid, 'in_app', ${batch.source}, ${batch.sourceId}::uuid,
          ${batch.step?.id ?? null}::text, ${batch.step?.position ?? null}::smallint, ${batch.variant}::text,
          case when ${t.reason} is null then 'queued' else 'failed' end, ${t.reason}, ${batch.now}::timestamptz, ${t.content},
          ${batch.messageId}::uuid, ${batch.version}::integer,
          ${t.reason} is null, ${batch.inbox}::boolean, ${batch.priority}::smallint, ${batch.sharedLimits}::boolean,
          ${batch.expiresAt}::timestamptz, ${batch.topicId}::uuid, case when not ${t.noted} then ${txid} end`,
        )}
        on conflict (person_key, id) do nothing`;
