import type { AudienceInput, AudiencePatch, AudienceUser, Filter } from "@tidings/contract/audience/audiences";
import { type Queries, type Tx, violatedUnique } from "../platform/db/index.ts";
import { badField, notFound, Problem } from "../platform/http/index.ts";
import { decodeId, encodeId, newId } from "../platform/ids.ts";
import type { Write } from "../platform/resources/crud.ts";
import type { Users } from "../workspaces/index.ts";
import { readFilter } from "./filter/filter.ts";
import { ask, namedIn } from "./filter/known.ts";
import {
  type AudienceRow,
  audienceById,
  audiencesOnTopic,
  audiencesWith,
  deleteAudience,
  insertAudience,
  serialized,
  topicsAmong,
  updateAudience,
} from "./store.ts";

/** What the slices above tell of who uses an audience. */
type Others = Users["audience"];

export type Used = AudienceRow & { used_by: AudienceUser[] };

/** The audiences that ask about a topic, for whoever wants to remove it: without it they would mean others. */
export const topicUsers = async (q: Queries, workspaceId: string, topicId: string): Promise<string[]> =>
  (await audiencesOnTopic(q, workspaceId, encodeId("top", topicId))).map(({ name }) => `audience ${name}`);

/** All that uses an audience: other audiences, and what the slices above tell. */
export async function usersOf(q: Queries, others: Others, workspaceId: string, id: string): Promise<AudienceUser[]> {
  const [audiences, found] = await Promise.all([audiencesWith(q, workspaceId, id), others(q, workspaceId, id)]);
  return [...audiences.map((row) => ({ type: "audience", id: encodeId("aud", row.id), name: row.name })), ...found];
}

/**
 * Makes an audience.
 * @throws Problem invalid_request with a pointer into the filter; conflict for a name that is taken; audience_too_complex
 */
export function createAudience(workspaceId: string, input: AudienceInput): Write<Used> {
  const { name, kind = "filter" } = input;
  if (kind === "list" && input.filter !== undefined) throw badField("/filter", "belongs to audiences of kind filter");
  if (kind === "filter" && input.filter === undefined) throw badField("/filter", "is required, unless kind is list");
  const filter = input.filter === undefined ? null : readFilter(input.filter, "/filter");
  return async (tx, now) => {
    await serialized(tx, workspaceId);
    if (filter) await checkNamed(tx, workspaceId, filter, now);
    const row = { id: newId(), name, kind, filter };
    const made = await unique(name, () => insertAudience(tx, workspaceId, row, filter ? namedIn(filter) : [], now));
    return { ...made, used_by: [] };
  };
}

/**
 * Changes an audience. Another filter is refused while something uses the audience, unless `even_if_used` says that this is
 * known. @throws Problem not_found, conflict, audience_circle, audience_too_complex
 */
export function changeAudience(workspaceId: string, id: string, patch: AudiencePatch, others: Others): Write<Used> {
  const filter = patch.filter === undefined ? undefined : readFilter(patch.filter, "/filter");
  return async (tx, now) => {
    await serialized(tx, workspaceId);
    const before = await audienceById(tx, workspaceId, id);
    if (!before) throw notFound("audience");
    if (filter && before.kind === "list") throw badField("/filter", "belongs to audiences of kind filter");
    const used_by = await usersOf(tx, others, workspaceId, id);
    if (filter && !patch.even_if_used) refuseUsed(used_by, "Repeat the change with even_if_used to change them too.");
    if (filter) await checkNamed(tx, workspaceId, filter, now, id);
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

/** @throws Problem not_found; conflict while something uses it */
export function discardAudience(workspaceId: string, id: string, others: Others): Write<void> {
  return async (tx) => {
    await serialized(tx, workspaceId);
    if (!(await audienceById(tx, workspaceId, id))) throw notFound("audience");
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

/** Audiences and topics that a filter names must be there when it is written. */
export async function checkNamed(q: Queries | Tx, workspaceId: string, filter: Filter, now: Date, self?: string) {
  const asked = await ask(q, workspaceId, filter, now, self);
  const topics = new Set<string>();
  const walk = (node: Filter): void => {
    if ("all" in node) node.all.forEach(walk);
    else if ("any" in node) node.any.forEach(walk);
    else if ("not" in node) walk(node.not);
    else if ("topic" in node && node.topic !== undefined) topics.add(decodeId("top", node.topic) ?? "");
  };
  walk(filter);
  if (topics.size > 0 && (await topicsAmong(q, workspaceId, [...topics])).length < topics.size)
    throw badField("/filter", "names a topic that this workspace does not have");
  return asked;
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
