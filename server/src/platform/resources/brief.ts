import type { Db } from "../db/index.ts";
import { tookTooLong } from "../db/index.ts";
import type { Ground } from "../ground.ts";
import { busy } from "../limits/fair-share.ts";

/** What a person waits for in front of a screen. A filter that takes longer would take a connection from the others' for as long. */
export const BRIEF_MS = 5_000;
const RETRY_AFTER_S = 30;

/**
 * Asks something over many rows that somebody waits for: on connections of its own, in the workspace's turn, at most BRIEF_MS a
 * statement. What answers such a question must not write. @throws Problem busy
 */
export function askBriefly<T>(
  { shares, askDb }: Pick<Ground, "shares" | "askDb">,
  workspaceId: string,
  question: (db: Db) => Promise<T>,
): Promise<T> {
  return shares.questions.run(workspaceId, async () => {
    try {
      return await question(askDb);
    } catch (error) {
      if (!tookTooLong(error)) throw error;
      throw busy(
        `It took longer than ${BRIEF_MS / 1_000} s and was stopped. Ask for less (fewer conditions, a shorter time), or repeat it when less is going on.`,
        RETRY_AFTER_S,
        error,
      );
    }
  });
}
