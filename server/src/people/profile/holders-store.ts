import { prepared, type Queries, raw, sql, type Sql, texts, unquoted } from "../../platform/db/index.ts";
import { COLUMNS, type Person } from "./store.ts";

/** A person with an address, and whether it is verified. */
export type Holder = Person & { verified: boolean };

/** Returns at most two people for each (workspace, email): verified ones first, then the last identified first. */
export const byEmails = (q: Queries, emails: { workspaceId: string; email: string }[]): Promise<Holder[]> =>
  q.query(
    prepared(
      "people.byEmails",
      holders(
        q.distributed,
        "email",
        emails.map(({ workspaceId, email }) => [workspaceId, email]),
      ),
    ),
  );

/** Like byEmails, for each (workspace, phone number). */
export const byPhones = (q: Queries, phones: { workspaceId: string; phone: string }[]): Promise<Holder[]> =>
  q.query(
    prepared(
      "people.byPhones",
      holders(
        q.distributed,
        "phone",
        phones.map(({ workspaceId, phone }) => [workspaceId, phone]),
      ),
    ),
  );

/** Reads at most two entries of an index for each address. Each array is in a sub-select so that the plan is kept, see inapp/delivery/live-store.ts. */
const holders = (
  distributed: boolean,
  name: "email" | "phone",
  addresses: [workspaceId: string, address: string][],
): Sql => {
  const [ids, texted] = [unquoted(addresses.map(([id]) => id)), texts(addresses.map(([, address]) => address))];
  const columns = sql`${COLUMNS}, ${raw(name)}_verified as verified`;
  if (distributed)
    return sql`
  select * from (
    select ${columns}, row_number() over (
      partition by workspace_id, ${raw(name)} order by ${raw(name)}_verified desc, identified_at desc) as nth
    from people
    where workspace_id = any(${ids}::uuid[]) and ${raw(name)} = any(${texted}::text[])
      and (workspace_id, ${raw(name)}) in (select * from unnest(${ids}::uuid[], ${texted}::text[]))) found
  where nth <= 2 order by workspace_id, ${raw(name)}, nth`;
  return sql`
  select found.*
  from unnest(
    (select ${ids}::uuid[]),
    (select ${texted}::text[])
  ) as a (workspace_id, address)
  cross join lateral (
    select ${columns}
    from people p
    where p.workspace_id = a.workspace_id and p.${raw(name)} = a.address
    order by ${raw(name)}_verified desc, identified_at desc limit 2) found`;
};
