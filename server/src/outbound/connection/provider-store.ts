import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { ProviderKind } from "@tidings/contract/messages/providers";
import { choosing, empty, join, type Queries, sql } from "../../platform/db/index.ts";
import { newSecret } from "../../platform/resources/authored.ts";
import { byInstant, byText, type ListSource } from "../../platform/resources/lists.ts";
import type { ChannelOf } from "../queue/lane.ts";

export interface ProviderRow {
  id: string;
  workspace_id: string;
  channel: PushedChannel;
  kind: ProviderKind;
  name: string;
  priority: number;
  rate_per_second: number | null;
  settings: Record<string, unknown>;
  credentials: string | null;
  credentials_changed_at: Date | null;
  resting_until: Date | null;
  resting_reason: string | null;
  slow_until: Date | null;
  slow_reason: string | null;
  created_at: Date;
  updated_at: Date;
}

/** The providers of a channel in the order in which they are tried. */
export const providersFor = (q: Queries, lane: ChannelOf): Promise<ProviderRow[]> =>
  q.query(sql`
    select * from providers
    where workspace_id = ${lane.workspaceId} and channel = ${lane.channel}
    order by priority, created_at, id`);

/** Returns the providers of a workspace, newest first, `most` at the most. */
export const listProviders = (q: Queries, workspaceId: string, most: number): Promise<ProviderRow[]> =>
  q.query(sql`select * from providers where workspace_id = ${workspaceId} order by id desc limit ${most}`);

export const listSource: ListSource = {
  columns: sql`*`,
  from: sql`providers`,
  of: (workspaceId) => sql`workspace_id = ${workspaceId}`,
  id: sql`id`,
  sorts: { updated_at: byInstant(sql`updated_at`), name: byText(sql`name`) },
  facets: { channel: sql`channel` },
  texts: [sql`name`],
};

export async function providerById(q: Queries, workspaceId: string, id: string): Promise<ProviderRow | undefined> {
  return (
    await q.query<ProviderRow>(sql`select * from providers where workspace_id = ${workspaceId} and id = ${id}`)
  )[0];
}

/** Returns a provider, locked until the transaction ends, so that two changes take turns. */
export async function lockProvider(tx: Queries, workspaceId: string, id: string): Promise<ProviderRow | undefined> {
  return (
    await tx.query<ProviderRow>(
      sql`select * from providers where workspace_id = ${workspaceId} and id = ${id} for no key update`,
    )
  )[0];
}

/** Returns the providers of a channel, locked until the transaction ends. All lock them in the order of their ids, so that none waits for ever. */
export const lockProvidersFor = (tx: Queries, lane: ChannelOf): Promise<ProviderRow[]> =>
  tx.query(sql`
    select * from providers
    where workspace_id = ${lane.workspaceId} and channel = ${lane.channel}
    order by id for no key update`);

/** The provider with this id, in whichever workspace: for callbacks, which prove themselves by its secret. */
export async function providerAnywhere(q: Queries, id: string): Promise<ProviderRow | undefined> {
  return (await q.query<ProviderRow>(sql`select * from providers where id = ${id}`))[0];
}

/** Providers of all workspaces whose bounces come back to a mailbox. */
export const providersWithMailbox = (q: Queries): Promise<ProviderRow[]> =>
  q.query(sql`select * from providers where kind = 'smtp' and settings ? 'bounce_mailbox' order by id`);

export async function insertProvider(
  tx: Queries,
  row: Omit<
    ProviderRow,
    | "created_at"
    | "updated_at"
    | "credentials_changed_at"
    | "resting_until"
    | "resting_reason"
    | "slow_until"
    | "slow_reason"
  >,
  now: Date,
): Promise<ProviderRow> {
  const [made] = await tx.query<ProviderRow>(sql`
    insert into providers (
      workspace_id, id, channel, kind, name, priority, rate_per_second, settings, credentials,
      credentials_changed_at, created_at, updated_at)
    values (
      ${row.workspace_id}, ${row.id}, ${row.channel}, ${row.kind}, ${row.name}, ${row.priority}, ${row.rate_per_second},
      ${JSON.stringify(row.settings)}, ${row.credentials}, ${row.credentials === null ? null : now}, ${now}, ${now})
    returning *`);
  return made as ProviderRow;
}

export async function updateProvider(
  tx: Queries,
  { workspaceId, id }: { workspaceId: string; id: string },
  patch: {
    name?: string;
    priority?: number;
    rate_per_second?: number | null;
    settings?: Record<string, unknown>;
    credentials?: string | null;
  },
  now: Date,
): Promise<ProviderRow | undefined> {
  const set = [
    patch.name === undefined ? empty : sql`name = ${patch.name}`,
    patch.priority === undefined ? empty : sql`priority = ${patch.priority}`,
    patch.rate_per_second === undefined ? empty : sql`rate_per_second = ${patch.rate_per_second}`,
    patch.settings === undefined ? empty : sql`settings = ${JSON.stringify(patch.settings)}`,
    patch.credentials === undefined ? empty : newSecret("credentials", patch.credentials, now),
    // With them it is connected anew, and has not rested yet.
    patch.settings || patch.credentials
      ? sql`resting_until = null, resting_reason = null, slow_until = null, slow_reason = null`
      : empty,
    sql`updated_at = ${now}`,
  ].filter((part) => part !== empty);
  return (
    await tx.query<ProviderRow>(
      sql`update providers set ${join(set)} where workspace_id = ${workspaceId} and id = ${id} returning *`,
    )
  )[0];
}

export const deleteProvider = (tx: Queries, workspaceId: string, id: string): Promise<number> =>
  tx.execute(sql`delete from providers where workspace_id = ${workspaceId} and id = ${id}`);

/** Writes that a provider rests, or is well again. The rest ends by the database's clock, which all processes share. */
export const keepRest = (
  q: Queries,
  workspaceId: string,
  id: string,
  rest: { ms: number; reason: string } | undefined,
): Promise<number> =>
  q.execute(sql`
    update providers set
      resting_until = now() + ${rest?.ms ?? null}::float8 * interval '1 millisecond',
      resting_reason = ${rest?.reason ?? null}
    where workspace_id = ${workspaceId} and id = ${id} and (${rest !== undefined} or resting_until is not null)`);

/** Writes that a provider is slow, for longer than the process needs to report it again; or that it is slow no longer. */
export const keepSlow = (
  q: Queries,
  workspaceId: string,
  id: string,
  slow: { ms: number; reason: string } | undefined,
): Promise<number> =>
  q.execute(sql`
    update providers set
      slow_until = now() + ${slow?.ms ?? null}::float8 * interval '1 millisecond',
      slow_reason = ${slow?.reason ?? null}
    where workspace_id = ${workspaceId} and id = ${id}`);

/** The time over which deliveries that a provider's fault put off become due: they must not come back all at once. */
const SPREAD_MS = 20_000;

/** Makes at most `batch` deliveries due that this provider's fault put off, the earliest first. Returns how many. */
export function putDueForward(q: Queries, id: string, batch: number): Promise<number> {
  const { lock, still } = choosing(q, sql`for update skip locked`, sql`d.put_off_by = ${id}`);
  return q.execute(sql`
    with chosen as materialized (
      select person_key, id from deliveries
      where put_off_by = ${id} and due_at > now()
      order by due_at limit ${batch} ${lock}),
    off as materialized (
      select person_key, id, now() + random() * ${SPREAD_MS}::float8 * interval '1 millisecond' as forward_at from chosen)
    update deliveries d set put_off_by = null, due_at = least(d.due_at, off.forward_at)
    from off
    where d.person_key = off.person_key and d.id = off.id and d.lease_id is null and d.status = 'queued' ${still}`);
}

/** Returns what the API shows as the state of a provider. "resting" comes before "slow": a provider that rests gets no messages at all. */
export function stateOf(row: ProviderRow, now: Date) {
  for (const status of ["resting", "slow"] as const) {
    const [until, reason] = [row[`${status}_until`], row[`${status}_reason`]];
    if (until && until > now) return { status, until: until.toISOString(), ...(reason !== null && { reason }) };
  }
  return { status: "ok" as const };
}
