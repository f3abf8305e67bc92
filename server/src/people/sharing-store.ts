import { type Queries, raw, sql } from "../platform/db/index.ts";

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

/** The ids of those who share an address, verified before others, and then identified last first. */
export async function idsByEmail(q: Queries, workspaceId: string, email: string, limit: number): Promise<string[]> {
  const rows = await q.query<{ person_id: string }>(sql`
    select person_id from people where workspace_id = ${workspaceId} and email = ${email}
    order by email_verified desc, identified_at desc, person_id limit ${limit}`);
  return rows.map((row) => row.person_id);
}
