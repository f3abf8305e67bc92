import type { Db, Queries } from "../db/index.ts";
import { tookTooLong } from "../db/index.ts";
import type { Ground } from "../ground.ts";
import { busy } from "../limits/fair-share.ts";

/** How long somebody waits in front of a screen. A slower filter would keep a connection from the others for as long. */
export const BRIEF_MS = 5_000;
const RETRY_AFTER_S = 30;

/**
 * Answers a question over many rows that a caller waits for: on connections of its own, in the workspace's turn, with at most BRIEF_MS
 * for a statement. `question` must not write. @throws Problem busy
 */
export function askBriefly<T>(
  { shares, askDb }: Pick<Ground, "shares" | "askDb">,
  workspaceId: string,
  question: (db: Db) => Promise<T>,
): Promise<T> {
  return shares.questions.run(workspaceId, () => inTime(question(askDb)));
}

/**
 * Returns the queries for lists of the product API: each statement runs on the lists' connections, in the workspace's turn, for at most
 * BRIEF_MS. A filter that few rows match reads all rows, and would take connections from sync and trigger. @throws Problem busy
 */
export function inListTurns({ shares, listDb }: Pick<Ground, "shares" | "listDb">, workspaceId: string): Queries {
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => shares.lists.run(workspaceId, () => inTime(ask()));
  return {
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
      `It took longer than ${BRIEF_MS / 1_000} s and was stopped. Ask for less (fewer conditions, a shorter time), or repeat it when less is going on.`,
      RETRY_AFTER_S,
      error,
    );
  }
}
