import type { Channel } from "@tidings/contract/facts/activity";
import {
  given,
  prepared,
  preparedOnOne,
  type Queries,
  rowsToCheck,
  type Sql,
  sql,
  unquoted,
} from "../../platform/db/index.ts";

/**
 * Locks these people's messages until the transaction ends. The keys must be in order: then two transactions never wait for each other.
 * PostgreSQL locks a row also where `do update` changes nothing.
 */
export const lockFrequency = (tx: Queries, workspaceId: string, sortedKeys: string[]): Promise<number> =>
  tx.execute(
    preparedOnOne(
      tx,
      "sendings.lockFrequency",
      sql`
      insert into frequency_locks as old (person_key, workspace_id)
      ${rowsToCheck(tx, sortedKeys, { key: given.uuid((key) => key) }, ({ key }) => sql`${key}, ${workspaceId}::uuid`)}
      on conflict (person_key) do update set workspace_id = old.workspace_id where false`,
    ),
  );

/** A message that a person got. */
export interface ReceivedRow {
  person_key: string;
  channel: Channel;
  at: Date;
}

/** Which of the messages that people got are asked for. */
export interface ReceivedAsk {
  since: Date;
  /** Only the messages of this channel; null: those of all channels. */
  channel: Channel | null;
  /** Messages of these topics are left out. */
  exempt: string[];
}

const received = ({ since, channel, exempt }: ReceivedAsk, whose: Sql): Sql => sql`
        select person_key, channel, queued_at as at from deliveries
        where ${whose} and queued_at > ${since} and bulk
          and status not in ('failed', 'suppressed', 'canceled')
          and (${channel}::text is null or channel = ${channel})
          and (topic_id is null or topic_id <> all((select ${unquoted(exempt)}::uuid[])::uuid[]))`;

/**
 * Returns the messages of broadcasts and campaigns that these people got since then, except those of the topics in `exempt`. It reads one
 * range of the primary key for each person.
 */
export const receivedSince = (
  q: Queries,
  keys: string[],
  { since, channel, exempt }: ReceivedAsk,
): Promise<ReceivedRow[]> =>
  q.query(
    prepared(
      "sendings.receivedSince",
      sql`
      ${
        q.distributed
          ? received({ since, channel, exempt }, sql`person_key = any(${unquoted(keys)}::uuid[])`)
          : sql`
      select t.person_key, d.channel, d.at
      from unnest((select ${unquoted(keys)}::uuid[])) as t (person_key)
      cross join lateral (${received({ since, channel, exempt }, sql`person_key = t.person_key`)}
        offset 0) d`
      }`,
    ),
  );
