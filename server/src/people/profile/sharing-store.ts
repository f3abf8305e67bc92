import { anyOf, type Queries, raw, sql } from "../../platform/db/index.ts";
import type { Person } from "./store.ts";

/** An address in a workspace. */
export interface Address {
  workspaceId: string;
  name: "email" | "phone";
  address: string;
}

/** Counts the people who have an address, up to `most`. */
export async function countHolders(q: Queries, { workspaceId, name, address }: Address, most: number): Promise<number> {
  const [row] = await q.query<{ count: number }>(sql`
    select count(*)::integer as count from (
      select 1 from people where workspace_id = ${workspaceId} and ${raw(name)} = ${address} limit ${most}) h`);
  return row?.count ?? 0;
}

/** Returns the keys of the people who have each address, at most `most` for each, with the index of the address. */
export const keysOfHolders = (
  q: Queries,
  name: Address["name"],
  addresses: Omit<Address, "name">[],
  most: number,
): Promise<{ at: number; person_key: string }[]> =>
  q.query(
    q.distributed
      ? sql`
    select (a.at - 1)::integer as at, h.person_key
    from unnest(
        ${addresses.map((a) => a.workspaceId)}::uuid[],
        ${addresses.map((a) => a.address)}::text[]
      ) with ordinality as a (workspace_id, address, at)
    join (
      select workspace_id, ${raw(name)} as address, person_key,
        row_number() over (partition by workspace_id, ${raw(name)}) as nth
      from people where workspace_id = any(${addresses.map((a) => a.workspaceId)}::uuid[])
        and ${raw(name)} = any(${addresses.map((a) => a.address)}::text[])) h
      on h.workspace_id = a.workspace_id and h.address = a.address and h.nth <= ${most}`
      : sql`
    select (a.at - 1)::integer as at, h.person_key
    from unnest(
        ${addresses.map((a) => a.workspaceId)}::uuid[],
        ${addresses.map((a) => a.address)}::text[]
      ) with ordinality as a (workspace_id, address, at)
    cross join lateral (
      select person_key from people p
      where p.workspace_id = a.workspace_id and p.${raw(name)} = a.address limit ${most}) h`,
  );

/** A person who shares an address with another person of the workspace. */
export interface Sharer extends Pick<Person, "person_key" | "subscribed" | "preferences"> {
  address: string;
  verified: boolean;
  identified_at: Date;
}

/** Returns those of these people who share their address with another person. It costs one look-up in the index for each person. */
export const sharersOf = (q: Queries, name: Address["name"], keys: string[]): Promise<Sharer[]> => {
  const address = raw(name);
  const theirs = sql`
    select p.person_key, p.subscribed, p.preferences,
      p.${address} as address, p.${address}_verified as verified, p.identified_at`;
  const which = sql`p.person_key = ${anyOf(q, keys)} and p.${address} is not null`;
  return q.query(
    q.distributed
      ? sql`
    with theirs as materialized (${theirs}, p.workspace_id from people p where ${which}),
    others as materialized (
      select o.person_key, o.workspace_id, o.${address} as address from people o
      where o.${address} is not null and (o.workspace_id, o.${address}) in (select workspace_id, address from theirs))
    select person_key, subscribed, preferences, address, verified, identified_at from theirs t
    where exists (select 1 from others o
      where o.workspace_id = t.workspace_id and o.address = t.address and o.person_key <> t.person_key)`
      : sql`
    ${theirs}
    from people p
    where ${which}
      and exists (select from people o
        where o.workspace_id = p.workspace_id and o.${address} = p.${address} and o.person_key <> p.person_key)`,
  );
};

/** Returns the ids of the people who share an address: verified ones first, then the last identified first. */
export async function idsByEmail(q: Queries, workspaceId: string, email: string, limit: number): Promise<string[]> {
  const rows = await q.query<{ person_id: string }>(sql`
    select person_id from people where workspace_id = ${workspaceId} and email = ${email}
    order by email_verified desc, identified_at desc, person_id limit ${limit}`);
  return rows.map((row) => row.person_id);
}
