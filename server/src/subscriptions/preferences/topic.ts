import type { TopicInput, TopicPatch } from "@tidings/contract/audience/subscriptions";
import { isReferenced, type Tx, violatedUnique } from "../../platform/db/index.ts";
import { notFound, Problem } from "../../platform/http/index.ts";
import { newId } from "../../platform/ids.ts";
import { LIMITS_CHANGED, type Users } from "../../workspaces/index.ts";
import { deleteTopic, insertTopic, lockTopic, type TopicRow, updateTopic } from "./store.ts";

/** The most topics of a workspace. A preference page shows all of them, and nobody chooses among more. */
const MOST_TOPICS = 100;

/** Makes a topic. @throws Problem conflict for a name that is taken, limit_reached */
export async function createTopic(tx: Tx, workspaceId: string, input: TopicInput, now: Date): Promise<TopicRow> {
  const row = await unique(input.name, () =>
    insertTopic(tx, workspaceId, { id: newId(), input, most: MOST_TOPICS, now }),
  );
  if (!row) throw new Problem("limit_reached", `A workspace has at most ${MOST_TOPICS} topics. Remove one first.`);
  return row;
}

/** Changes a topic. A new default applies at once to all people who never chose. @throws Problem not_found, conflict */
export async function changeTopic(
  tx: Tx,
  workspaceId: string,
  { id, patch, now }: { id: string; patch: TopicPatch; now: Date },
): Promise<TopicRow> {
  const row = await unique(patch.name, () => updateTopic(tx, workspaceId, { id, patch, now }));
  if (patch.exempt_from_limits !== undefined) await tx.announce(LIMITS_CHANGED, [workspaceId], () => [{ workspaceId }]);
  if (!row) throw notFound("topic");
  return row;
}

/**
 * Removes a topic that nothing uses any more.
 * @throws Problem not_found; conflict where a message uses it: without its topic it would reach people who turned the topic off
 */
export async function discardTopic(tx: Tx, workspaceId: string, id: string, usersOf: Users["topic"]): Promise<void> {
  // Locked before its users are read, so that nothing begins to use it in between.
  if (!(await lockTopic(tx, workspaceId, id))) throw notFound("topic");
  const users = await usersOf(tx, workspaceId, id);
  if (users.length > 0)
    throw new Problem(
      "conflict",
      `The topic is used by ${users.join(", ")}. Change these first, or send or cancel them.`,
      {
        extra: { used_by: users },
      },
    );
  try {
    await deleteTopic(tx, workspaceId, id);
  } catch (error) {
    if (!isReferenced(error)) throw error;
    throw new Problem("conflict", "A transactional uses this topic. Give it another topic, or none, first.", {
      cause: error,
    });
  }
}

async function unique<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedUnique(error) !== "topics_name") throw error;
    throw new Problem("conflict", `The workspace has another topic with the name ${name}.`, {
      errors: [{ pointer: "/name", message: "is taken" }],
      cause: error,
    });
  }
}
