import { type Queries, sql, unquoted } from "../../platform/db/index.ts";
import type { BroadcastRow } from "../definition/store.ts";

type BroadcastKey = Pick<BroadcastRow, "workspace_id" | "id">;

/** A person who may get the one copy at a shared address. */
export interface Candidate {
  /** A hash, see addresses.ts. */
  address: string;
  /** The person's key. */
  chosen: string;
  verified: boolean;
  identified_at: Date;
}

/** Stores for each address the person who comes first: verified, then identified last, then by key. The order of calls makes no difference. */
export const keepFirst = (tx: Queries, of: BroadcastKey, candidates: Candidate[]): Promise<number> =>
  tx.execute(sql`
    insert into broadcast_addresses as b (workspace_id, broadcast_id, address, chosen, verified, identified_at)
    select distinct on (t.address) ${of.workspace_id}::uuid, ${of.id}::uuid, t.*
    from unnest(
      ${candidates.map((one) => one.address)}::uuid[],
      ${candidates.map((one) => one.chosen)}::uuid[],
      ${candidates.map((one) => one.verified)}::boolean[],
      ${candidates.map((one) => one.identified_at)}::timestamptz[]
    ) as t (address, chosen, verified, identified_at)
    order by t.address, t.verified desc, t.identified_at desc, t.chosen desc
    on conflict (workspace_id, broadcast_id, address) do update
      set chosen = excluded.chosen, verified = excluded.verified, identified_at = excluded.identified_at
      where (excluded.verified, excluded.identified_at, excluded.chosen) > (b.verified, b.identified_at, b.chosen)`);

/** Returns who gets the copy at those of the addresses that several people of the audience share. */
export const chosenAt = (
  q: Queries,
  of: BroadcastKey,
  addresses: string[],
): Promise<Pick<Candidate, "address" | "chosen">[]> =>
  q.query(sql`
    select address, chosen from broadcast_addresses
    where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id}
      and address = any((select ${unquoted(addresses)}::uuid[])::uuid[])`);

/** Lets another person get the copy at an address, because the one who was chosen is gone. */
export const reassign = (tx: Queries, of: BroadcastKey, address: string, to: string): Promise<number> =>
  tx.execute(sql`
    update broadcast_addresses set chosen = ${to}
    where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id} and address = ${address}`);

export const forgetAddresses = (tx: Queries, of: BroadcastKey): Promise<number> =>
  tx.execute(sql`
    delete from broadcast_addresses where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id}`);
