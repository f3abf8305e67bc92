import type { Db, Queries } from "../db/index.ts";
import { tookTooLong } from "../db/index.ts";
import type { Ground } from "../ground.ts";
import { busy } from "../limits/fair-share.ts";

/** How long a statement may run while somebody waits in front of a screen. A slower filter would keep a connection from the others for as long. */
export const INTERACTIVE_MS = 5_000;
const RETRY_AFTER_S = 30;

/**
 * Runs queries over many rows whose answer a person waits for: on connections of their own, in the workspace's turn, with at most
 * INTERACTIVE_MS for a statement. `queries` must not write, and may run twice: a read replica answers them if there is one.
 * @throws Problem busy
 */
export function interactiveQuery<T>(
  { shares, lagging }: Pick<Ground, "shares" | "lagging">,
  workspaceId: string,
  queries: (db: Db) => Promise<T>,
): Promise<T> {
  return shares.interactive.run(workspaceId, () => inTime(queries(lagging.interactiveDb)));
}

/** Like interactiveQuery, on the primary: for an answer that decides what is done. */
export function currentQuery<T>(
  { shares, interactiveDb }: Pick<Ground, "shares" | "interactiveDb">,
  workspaceId: string,
  queries: (db: Db) => Promise<T>,
): Promise<T> {
  return shares.interactive.run(workspaceId, () => inTime(queries(interactiveDb)));
}

/**
 * Returns the queries for lists of the product API: each statement runs on the lists' connections, in the workspace's turn, for at most
 * INTERACTIVE_MS. A filter that few rows match reads all rows, and would take connections from sync and trigger. @throws Problem busy
 */
export function inListTurns({ shares, listDb }: Pick<Ground, "shares" | "listDb">, workspaceId: string): Queries {
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => shares.lists.run(workspaceId, () => inTime(run()));
  return {
    distributed: listDb.distributed,
    query: (statement) => inTurn(() => listDb.query(statement)),
    execute: (statement) => inTurn(() => listDb.execute(statement)),
  };
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!tookTooLong(error)) throw error;
    throw busy(
      `It took longer than ${INTERACTIVE_MS / 1_000} s and was stopped. Ask for less (fewer conditions, a shorter time), or repeat it when less is going on.`,
      RETRY_AFTER_S,
      error,
    );
  }
}
