import type { AudienceInput, AudiencePatch, AudienceUser, Filter } from "@tidings/contract/audience/audiences";
import { type Queries, type Tx, violatedUnique } from "../platform/db/index.ts";
import { badField, notFound, Problem } from "../platform/http/index.ts";
import { encodeId, newId } from "../platform/ids.ts";
import type { Write } from "../platform/resources/crud.ts";
import type { Users } from "../workspaces/index.ts";
import { loadFilterContext, namedIn, topicsIn } from "./filter/context.ts";
import { readFilter } from "./filter/filter.ts";
import {
  type AudienceRow,
  audienceById,
  audiencesOnTopic,
  audiencesWith,
  deleteAudience,
  insertAudience,
  lockAudiences,
  serialized,
  topicsAmong,
  updateAudience,
} from "./store.ts";

/** Returns what uses an audience in the slices above. */
type OtherUsers = Users["audience"];

export type UsedAudience = AudienceRow & { used_by: AudienceUser[] };

/** The audiences whose filter names a topic. They keep the topic from being removed: without it they would have other members. */
export const topicUsers = async (q: Queries, workspaceId: string, topicId: string): Promise<string[]> =>
  (await audiencesOnTopic(q, workspaceId, encodeId("top", topicId))).map(({ name }) => `audience ${name}`);

/** Everything that uses an audience: other audiences, and users in the slices above. */
export async function usersOf(
  q: Queries,
  others: OtherUsers,
  workspaceId: string,
  id: string,
): Promise<AudienceUser[]> {
  const [audiences, found] = await Promise.all([audiencesWith(q, workspaceId, id), others(q, workspaceId, id)]);
  return [...audiences.map((row) => ({ type: "audience", id: encodeId("aud", row.id), name: row.name })), ...found];
}

/**
 * Creates an audience.
 * @throws Problem invalid_request with a pointer into the filter; conflict for a name that is taken; audience_too_complex
 */
export function createAudience(workspaceId: string, input: AudienceInput): Write<UsedAudience> {
  const { name, kind = "filter" } = input;
  if (kind === "list" && input.filter !== undefined) throw badField("/filter", "belongs to audiences of kind filter");
  if (kind === "filter" && input.filter === undefined) throw badField("/filter", "is required, unless kind is list");
  const filter = input.filter === undefined ? null : readFilter(input.filter, "/filter");
  return async (tx, now) => {
    await serialized(tx, workspaceId);
    if (filter) await checkNamed(tx, workspaceId, { filter, now, holds: true });
    const row = { id: newId(), name, kind, filter };
    const made = await unique(name, () =>
      insertAudience(tx, workspaceId, row, { uses: filter ? namedIn(filter) : [], now }),
    );
    return { ...made, used_by: [] };
  };
}

/**
 * Changes an audience. A new filter is refused while something uses the audience, unless `even_if_used` is set. @throws Problem not_found, conflict, audience_circle, audience_too_complex
 */
export function changeAudience(
  workspaceId: string,
  id: string,
  patch: AudiencePatch,
  others: OtherUsers,
): Write<UsedAudience> {
  const filter = patch.filter === undefined ? undefined : readFilter(patch.filter, "/filter");
  return async (tx, now) => {
    await serialized(tx, workspaceId);
    const before = await audienceById(tx, workspaceId, id);
    if (!before) throw notFound("audience");
    if (filter && before.kind === "list") throw badField("/filter", "belongs to audiences of kind filter");
    const used_by = await usersOf(tx, others, workspaceId, id);
    if (filter && !patch.even_if_used) refuseUsed(used_by, "Repeat the change with even_if_used to change them too.");
    if (filter) await checkNamed(tx, workspaceId, { filter, now, self: id, holds: true });
    const after = {
      ...before,
      name: patch.name ?? before.name,
      filter: filter ?? before.filter,
      updated_at: now,
    };
    await unique(after.name, () => updateAudience(tx, workspaceId, after, after.filter ? namedIn(after.filter) : []));
    return { ...after, used_by };
  };
}

/** Removes an audience. @throws Problem not_found; conflict while something uses it */
export function discardAudience(workspaceId: string, id: string, others: OtherUsers): Write<void> {
  return async (tx) => {
    await serialized(tx, workspaceId);
    if ((await lockAudiences(tx, workspaceId, [id], "update")).length === 0) throw notFound("audience");
    refuseUsed(await usersOf(tx, others, workspaceId, id), "Take it out of them first.");
    await deleteAudience(tx, workspaceId, id);
  };
}

function refuseUsed(users: AudienceUser[], advice: string): void {
  if (users.length === 0) return;
  const names = users.slice(0, 10).map(({ type, name }) => `${type} ${name}`);
  throw new Problem("conflict", `The audience is used by ${names.join(", ")}. ${advice}`, {
    extra: { used_by: users },
  });
}

/**
 * Checks that the audiences and topics that a filter names exist. @throws Problem as loadFilterContext, invalid_request for an unknown topic
 * @param holds none of them is removed until the transaction ends, which stores the filter
 */
export async function checkNamed(
  q: Queries | Tx,
  workspaceId: string,
  { filter, now, self, holds }: { filter: Filter; now: Date; self?: string; holds?: boolean },
): Promise<void> {
  const audiences = holds ? namedIn(filter) : [];
  if (audiences.length > 0) await lockAudiences(q, workspaceId, audiences, "key share");
  await loadFilterContext(q, workspaceId, { filter, now, ...(self !== undefined && { self }) });
  const topics = topicsIn([filter]);
  if (topics.length > 0 && (await topicsAmong(q, workspaceId, topics, holds)).length < topics.length)
    throw badField("/filter", "names a topic that this workspace does not have");
}

async function unique<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedUnique(error) !== "audiences_name") throw error;
    throw new Problem("conflict", `The workspace has another audience with the name ${name}.`, {
      errors: [{ pointer: "/name", message: "is taken" }],
      cause: error,
    });
  }
}
