import { logged, type Logged, logInShards } from "../../activity/index.ts";
import {
  type Columns,
  given,
  inShardsOf,
  join,
  once,
  prepared,
  type Queries,
  raw,
  rowsOf,
  type Sql,
  sql,
} from "../../platform/db/index.ts";
import type { Job } from "../message/message.ts";

/** How an attempt ended. `waitMs` is set where the delivery is tried again. */
export interface Settlement {
  job: Job;
  status: "sent" | "failed" | "queued";
  reason: string | null;
  provider: string | null;
  providerMessageId: string | null;
  waitMs: number | null;
  /** For the log. */
  note: Record<string, unknown>;
  /** Push: devices whose token is dead. */
  dead: string[];
  /** The provider reports that no message will ever reach the address. */
  deadAddress?: boolean;
  /** The provider by whose fault it is tried again later. */
  putOffBy?: string | null;
}

/** The start of the reason of a failed delivery that a provider may have nevertheless, see `at_most_once`. */
export const UNDETERMINED = "undetermined";

/** A provider may report the arrival before the hand-off ends for us: a delivery that arrived is not sent again. */
const ARRIVED = raw("coalesce(d.complained_at, d.bounced_at, d.delivered_at) is not null");
/** A provider may likewise report that it gave up, see `applyFeedback` in feedback-store.ts. */
const GIVEN_UP = raw("t.status = 'sent' and d.status = 'failed'");

/** The type of the log entry for the end of an attempt. */
export const endOf = ({ job, status }: Settlement): string =>
  `${job.channel}.${status === "queued" ? "attempt" : status}`;

/** The delivery is tried again. */
const REPEATED = raw("t.wait_ms is not null and coalesce(d.complained_at, d.bounced_at, d.delivered_at) is null");

/** The data of the log entry for the end of an attempt. */
const logDataOf = ({
  job,
  reason,
  provider,
  providerMessageId,
  waitMs,
  note,
}: Settlement): Record<string, unknown> => ({
  ...note,
  attempt: job.attempts + 1,
  ...(provider !== null && { provider }),
  ...(providerMessageId !== null && { provider_message_id: providerMessageId }),
  ...(reason !== null && { reason }),
  ...(waitMs !== null && { next_attempt_in_seconds: Math.round(waitMs / 1_000) }),
});

/**
 * Finalizes, fails or postpones deliveries, each only where the lease is still ours: a worker that slept past its lease can't
 * write. The same statement writes the log, which saves a round trip and, where it is alone, the transaction around it.
 * Attachments are deleted once they are sent, and all content where it must not be kept. Returns the ids that were settled.
 *
 * The condition that the status lies between failed and sent is always true. By it PostgreSQL expects one row and not ten, and
 * looks the rows up by key from the first day on: on a table without statistics it would plan to read all of it, and keep
 * that plan until the first autovacuum (84 ms a batch at 60,000 rows).
 */
export async function settle(tx: Queries, settlements: Settlement[], now: Date): Promise<Set<string>> {
  const ends = endsOf(tx, settlements);
  const settled = settledBy(tx, settlements, now);
  if (tx.distributed) return settleInShards(tx, sql`with ${ends} ${settled}`, now);
  const rows = await tx.query<{ id: string }>(
    prepared(
      "outbound.settle",
      sql`
      with ${ends},
      settled as (${settled}),
      log as (${logged(sql`select person_key, id, workspace_id, type, data from settled`, { at: now })})
      select id from settled`,
    ),
  );
  return new Set(rows.map((row) => row.id));
}

async function settleInShards(tx: Queries, settled: Sql, now: Date): Promise<Set<string>> {
  const rows = await tx.query<Logged>(prepared("outbound.settle", settled));
  await logInShards(tx, rows, now);
  return new Set(rows.map((row) => row.id));
}

const ENDS = {
  person_key: given.uuid((s) => s.job.personKey),
  id: given.uuid((s) => s.job.deliveryId),
  lease_id: given.uuid((s) => s.job.leaseId),
  status: given.word((s) => s.status),
  reason: given.text((s) => s.reason),
  provider: given.text((s) => s.provider),
  provider_message_id: given.text((s) => s.providerMessageId),
  wait_ms: given.float8((s) => s.waitMs),
  type: given.word(endOf),
  data: given.json((s) => JSON.stringify(logDataOf(s))),
  put_off_by: given.uuid((s) => s.putOffBy ?? null),
} satisfies Columns<Settlement>;

/** The ends of attempts, as `t`. */
const endsOf = (tx: Queries, settlements: Settlement[]): Sql => sql`
      t as ${once(tx)} (${rowsOf(
        settlements,
        ENDS,
        (t) => sql`${join(Object.values(t))}, now() + ${t.wait_ms} * interval '1 millisecond' as again_at`,
      )})`;

/** Writes the ends `t` where the lease is still ours, and returns each with its entry in the log. */
const settledBy = (tx: Queries, settlements: Settlement[], now: Date): Sql => sql`
        update deliveries d set
          status = case
            when d.complained_at is not null then 'complained'
            when d.bounced_at is not null then 'bounced'
            when d.delivered_at is not null then 'delivered'
            when ${GIVEN_UP} then 'failed'
            else t.status
          end,
          reason = case when ${ARRIVED} or ${GIVEN_UP} then d.reason else t.reason end,
          provider = coalesce(t.provider, d.provider),
          provider_message_id = coalesce(t.provider_message_id, d.provider_message_id),
          lease_id = null,
          attempts = d.attempts + 1,
          sent_at = case when t.status = 'sent' or ${ARRIVED} then ${now}::timestamptz end,
          failed_at = case when t.status = 'failed' then ${now}::timestamptz else d.failed_at end,
          put_off_by = t.put_off_by,
          due_at = case when ${REPEATED} then t.again_at end,
          content = case
            when ${REPEATED} then d.content
            when d.retain_content then d.content - 'attachments'
          end
        from t
        where d.person_key = t.person_key and d.id = t.id and d.lease_id = t.lease_id ${inShardsOf(
          tx,
          "d.person_key",
          settlements.map((s) => s.job.personKey),
        )}
          and t.status between 'failed' and 'sent'
        returning d.person_key, d.id, d.workspace_id, t.type, t.data`;
