import { empty, type Queries, type Sql, sql } from "../../platform/db/index.ts";

/** A delivery that something from outside names: a link, a pixel, a provider's callback. */
export interface PlacedDelivery {
  deliveryId: string;
  /** Whose it was when it was sent, where that is known. Somebody else may have it now: people are merged. */
  personKey?: string | undefined;
}

/** The deliveries that one statement asks for. */
interface Question {
  ids: string[];
  /** The rest of the condition on `deliveries d`. */
  within: Sql;
  /** The end of the statement's name, because the condition is a part of its text. */
  name: string;
}

/**
 * Reads deliveries by their ids, which have an index. In shards the persons tell where deliveries are. Only what is not there, or whose person nobody told,
 * is asked of every shard.
 * @param read a statement over `deliveries d`
 */
export async function byPlace<Row extends { id: string }>(
  q: Pick<Queries, "distributed">,
  deliveries: PlacedDelivery[],
  read: (question: Question) => Promise<Row[]>,
): Promise<Row[]> {
  const everywhere = (some: PlacedDelivery[]) => read({ ids: some.map(idOf), within: empty, name: "" });
  const placed = q.distributed ? deliveries.filter(({ personKey }) => personKey !== undefined) : [];
  if (placed.length === 0) return everywhere(deliveries);
  const within = sql`and d.person_key = any(${placed.map(({ personKey }) => personKey)}::uuid[])`;
  const rows = await read({ ids: placed.map(idOf), within, name: "InShards" });
  const found = new Set(rows.map(({ id }) => id));
  const left = deliveries.filter(({ deliveryId }) => !found.has(deliveryId));
  return left.length === 0 ? rows : [...rows, ...(await everywhere(left))];
}

const idOf = ({ deliveryId }: PlacedDelivery): string => deliveryId;
