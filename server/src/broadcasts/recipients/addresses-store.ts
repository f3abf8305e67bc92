import { type Queries, sql, unquoted } from "../../platform/db/index.ts";
import type { BroadcastRow } from "../definition/store.ts";

type Of = Pick<BroadcastRow, "workspace_id" | "id">;

/** Somebody who may be the one that gets it at an address. */
export interface Candidate {
  /** A hash, see addresses.ts. */
  address: string;
  chosen: string;
  verified: boolean;
  identified_at: Date;
}

/** Keeps of each address the one who comes first: verified, then identified last, then by key. In any order of calls it is the same one. */
export const keepFirst = (tx: Queries, of: Of, candidates: Candidate[]): Promise<number> =>
  tx.execute(sql`
    insert into broadcast_addresses as b (workspace_id, broadcast_id, address, chosen, verified, identified_at)
    select distinct on (t.address) ${of.workspace_id}::uuid, ${of.id}::uuid, t.*
    from unnest(${candidates.map((one) => one.address)}::uuid[], ${candidates.map((one) => one.chosen)}::uuid[],
      ${candidates.map((one) => one.verified)}::boolean[], ${candidates.map((one) => one.identified_at)}::timestamptz[])
      as t (address, chosen, verified, identified_at)
    order by t.address, t.verified desc, t.identified_at desc, t.chosen desc
    on conflict (workspace_id, broadcast_id, address) do update
      set chosen = excluded.chosen, verified = excluded.verified, identified_at = excluded.identified_at
      where (excluded.verified, excluded.identified_at, excluded.chosen) > (b.verified, b.identified_at, b.chosen)`);

/** Who gets it at those of the addresses that several people of the audience have. */
export const chosenAt = (q: Queries, of: Of, addresses: string[]): Promise<Pick<Candidate, "address" | "chosen">[]> =>
  q.query(sql`
    select address, chosen from broadcast_addresses
    where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id}
      and address = any((select ${unquoted(addresses)}::uuid[])::uuid[])`);

/** Gives an address to another, where the one who was to get it there is gone. */
export const pass = (tx: Queries, of: Of, address: string, to: string): Promise<number> =>
  tx.execute(sql`
    update broadcast_addresses set chosen = ${to}
    where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id} and address = ${address}`);

export const forgetAddresses = (tx: Queries, of: Of): Promise<number> =>
  tx.execute(sql`
    delete from broadcast_addresses where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id}`);
