import { type Queries, sql } from "../../platform/db/index.ts";

/**
 * Locks a step of a campaign until the transaction ends. Two transactions that count or gather the runs of a key at the same time would let
 * twice as many runs pass, or gather in two places.
 */
export const holdStep = (
  tx: Queries,
  { campaignId, stepId }: { campaignId: string; stepId: string },
): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`step ${campaignId} ${stepId}`}, 0))`);
