import type { AudienceUser, Filter } from "@tidings/contract/audience/audiences";
import { checkNamed, page, pageOfKeys, readFilter } from "../../audiences/index.ts";
import type { Person } from "../../people/index.ts";
import type { Queries, Tx } from "../../platform/db/index.ts";
import { badField, Problem } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import type { Users } from "../../workspaces/index.ts";
import { type BroadcastRow, saying, usingAudience, usingMessage, usingTemplate, usingTopic } from "./store.ts";

// Reads a broadcast's audience. A saved audience is read by a filter that names it.

type AudienceFields = Pick<BroadcastRow, "audience_id" | "audience">;

const filterOf = ({ audience_id, audience }: AudienceFields): Filter =>
  audience_id === null ? readFilter(audience, "/audience") : { audience: encodeId("aud", audience_id) };

const BATCH = 5_000;

/** Yields all members in batches, in the order of person_key. @throws Problem invalid_request for an audience that was removed */
export async function* membersOf(
  q: Queries,
  row: AudienceFields & Pick<BroadcastRow, "workspace_id">,
  now: Date,
): AsyncGenerator<Person[]> {
  let after: string | undefined;
  do {
    const members = await page(q, row.workspace_id, { filter: filterOf(row), cursor: after, limit: BATCH, now });
    yield members;
    after = members.length === BATCH ? members.at(-1)?.person_key : undefined;
  } while (after !== undefined);
}

/**
 * Returns the next members in the order of person_key, with only the fields that a broadcast stores. If there are fewer than
 * `limit`, they are the last. @throws Problem invalid_request for an audience that was removed
 */
export const keysFrom = (
  q: Queries,
  row: AudienceFields & Pick<BroadcastRow, "workspace_id">,
  { cursor, limit, now }: { cursor: string | null; limit: number; now: Date },
): Promise<Pick<Person, "person_key" | "timezone">[]> =>
  pageOfKeys(q, row.workspace_id, { filter: filterOf(row), cursor: cursor ?? undefined, limit, now });

/**
 * Checks what a broadcast is to be sent to. Nothing that it names is removed until the transaction ends, which stores the broadcast.
 * @throws Problem invalid_request for a wrong filter or an unknown audience or topic, audience_too_complex
 */
export async function checkAudience(tx: Tx, workspaceId: string, chosen: AudienceFields, now: Date): Promise<void> {
  const filter = filterOf(chosen);
  try {
    await checkNamed(tx, workspaceId, { filter, now, holds: true });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "invalid_request") throw error;
    if (chosen.audience_id !== null) throw badField("/audience_id", "names no audience of this workspace");
    throw badField("/audience", error.options.errors?.[0]?.message ?? "names what this workspace does not have");
  }
}

/** Returns the broadcasts that will be sent to an audience. The audience can't be deleted while there are any. */
export async function audienceUsers(q: Queries, workspaceId: string, id: string): Promise<AudienceUser[]> {
  const rows = await usingAudience(q, workspaceId, id, encodeId("aud", id));
  return rows.map((row) => ({ type: "broadcast", id: encodeId("bc", row.id), name: row.name }));
}

/** Returns the names of the broadcasts that will be sent with a topic, or to people by it. The topic can't be removed while there are any. */
export const topicUsers: Users["topic"] = async (tx, workspaceId, topicId) =>
  (await usingTopic(tx, workspaceId, topicId, encodeId("top", topicId))).map(({ name }) => name);

/** Returns the broadcasts that will send a template. The template can't be deleted while there are any. */
export const templateUsers: Users["template"] = async (tx, workspaceId, templateId) =>
  (await usingTemplate(tx, workspaceId, encodeId("tpl", templateId))).map(({ name }) => ({
    source: "broadcast",
    name,
  }));

/** Returns the broadcasts that will send an in-app message. The message can't be removed while there are any. */
export const messageUsers: Users["message"] = async (tx, workspaceId, id) =>
  (await usingMessage(tx, workspaceId, id, encodeId("msg", id))).map((row) => ({
    type: "broadcast",
    id: encodeId("bc", row.id),
    name: row.name,
  }));

/** Returns the broadcasts that show an image. */
export const imageUsers: Users["image"] = async (q, workspaceId, text) =>
  (await saying(q, workspaceId, text)).map(({ id, name }) => ({ type: "broadcast", id: encodeId("bc", id), name }));
