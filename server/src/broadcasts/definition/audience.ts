import type { AudienceUser, Filter } from "@tidings/contract/audience/audiences";
import { page, pageOfKeys, readFilter } from "../../audiences/index.ts";
import type { Person } from "../../people/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { badField, Problem } from "../../platform/http/index.ts";
import { decodeId, encodeId } from "../../platform/ids.ts";
import type { NameOf, Users } from "../../workspaces/index.ts";
import { type BroadcastRow, byId, usingAudience, usingTemplate, usingTopic } from "./store.ts";

// How a broadcast's audience is asked. A saved one is the filter that names it.

type Chosen = Pick<BroadcastRow, "audience_id" | "audience">;

const filterOf = ({ audience_id, audience }: Chosen): Filter =>
  audience_id === null ? readFilter(audience, "/audience") : { audience: encodeId("aud", audience_id) };

const PAGE = 5_000;

/** All members, page by page in the order of person_key. @throws Problem invalid_request for an audience that is gone */
export async function* membersOf(
  q: Queries,
  row: Chosen & Pick<BroadcastRow, "workspace_id">,
  now: Date,
): AsyncGenerator<Person[]> {
  let after: string | undefined;
  do {
    const members = await page(q, row.workspace_id, { filter: filterOf(row), cursor: after, limit: PAGE, now });
    yield members;
    after = members.length === PAGE ? members.at(-1)?.person_key : undefined;
  } while (after !== undefined);
}

/**
 * The next members in the order of person_key, with no more of each than a broadcast keeps; fewer than `limit` are the last.
 * @throws Problem invalid_request for an audience that is gone
 */
export const keysFrom = (
  q: Queries,
  row: Chosen & Pick<BroadcastRow, "workspace_id">,
  cursor: string | null,
  limit: number,
  now: Date,
): Promise<Pick<Person, "person_key" | "timezone">[]> =>
  pageOfKeys(q, row.workspace_id, { filter: filterOf(row), cursor: cursor ?? undefined, limit, now });

/** @throws Problem invalid_request for a filter that is none, an audience that is not there; audience_too_complex */
export async function checkAudience(q: Queries, workspaceId: string, chosen: Chosen, now: Date): Promise<void> {
  const filter = filterOf(chosen);
  try {
    // A page of nobody: what the filter names is read, and nothing else.
    await page(q, workspaceId, { filter, cursor: undefined, limit: 0, now });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "invalid_request") throw error;
    if (chosen.audience_id !== null) throw badField("/audience_id", "names no audience of this workspace");
    throw badField("/audience", "names an audience that this workspace does not have");
  }
}

/** The broadcasts that are to be sent to an audience, for whoever wants to change or delete it. */
export async function audienceUsers(q: Queries, workspaceId: string, id: string): Promise<AudienceUser[]> {
  const rows = await usingAudience(q, workspaceId, id, encodeId("aud", id));
  return rows.map((row) => ({ type: "broadcast", id: encodeId("bc", row.id), name: row.name }));
}

/** A broadcast's name, for whoever knows its id only. */
export const nameOf: NameOf = async (q, workspaceId, text) => {
  const id = decodeId("bc", text);
  return id && (await byId(q, workspaceId, id))?.name;
};

/** The broadcasts that are to be sent with a topic, for whoever wants to remove it. */
export const topicUsers: Users["topic"] = async (tx, workspaceId, topicId) =>
  (await usingTopic(tx, workspaceId, topicId)).map(({ name }) => name);

/** The broadcasts that are to send a template, for whoever wants to delete it. */
export const templateUsers: Users["template"] = async (tx, workspaceId, templateId) =>
  (await usingTemplate(tx, workspaceId, encodeId("tpl", templateId))).map(({ name }) => name);
