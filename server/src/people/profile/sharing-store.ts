import { type Queries, raw, sql, unquoted } from "../../platform/db/index.ts";
import type { Person } from "./store.ts";

/** An address of a workspace. */
export interface Address {
  workspaceId: string;
  name: "email" | "phone";
  address: string;
}

/** How many people have an address, as far as `most`. */
export async function countHolders(q: Queries, { workspaceId, name, address }: Address, most: number): Promise<number> {
  const [row] = await q.query<{ count: number }>(sql`
    select count(*)::integer as count from (
      select from people where workspace_id = ${workspaceId} and ${raw(name)} = ${address} limit ${most}) h`);
  return row?.count ?? 0;
}

/** The keys of those who have each address, `most` of each. */
export const keysOfHolders = (
  q: Queries,
  name: Address["name"],
  addresses: Omit<Address, "name">[],
  most: number,
): Promise<{ at: number; person_key: string }[]> =>
  q.query(sql`
    select (a.at - 1)::integer as at, h.person_key
    from unnest(${addresses.map((a) => a.workspaceId)}::uuid[], ${addresses.map((a) => a.address)}::text[])
      with ordinality as a (workspace_id, address, at)
    cross join lateral (
      select person_key from people p where p.workspace_id = a.workspace_id and p.${raw(name)} = a.address limit ${most}) h`);

/** Somebody who shares an address with another person of the workspace. */
export interface Sharer extends Pick<Person, "person_key" | "subscribed" | "preferences"> {
  address: string;
  verified: boolean;
  identified_at: Date;
}

/** Of these people those who share their address with anybody: a step down the index for each of them. */
export const sharersOf = (q: Queries, name: Address["name"], keys: string[]): Promise<Sharer[]> =>
  q.query(sql`
    select p.person_key, p.subscribed, p.preferences, p.${raw(name)} as address, p.${raw(name)}_verified as verified, p.identified_at
    from people p
    where p.person_key = any((select ${unquoted(keys)}::uuid[])::uuid[]) and p.${raw(name)} is not null
      and exists (select from people o
        where o.workspace_id = p.workspace_id and o.${raw(name)} = p.${raw(name)} and o.person_key <> p.person_key)`);

/** The ids of those who share an address, verified before others, and then identified last first. */
export async function idsByEmail(q: Queries, workspaceId: string, email: string, limit: number): Promise<string[]> {
  const rows = await q.query<{ person_id: string }>(sql`
    select person_id from people where workspace_id = ${workspaceId} and email = ${email}
    order by email_verified desc, identified_at desc, person_id limit ${limit}`);
  return rows.map((row) => row.person_id);
}
