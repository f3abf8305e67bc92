import { isDeepStrictEqual } from "node:util";
import type { TransactionalInput, TransactionalPatch } from "@tidings/contract/messages/transactionals";
import { missingFields, renderParts } from "../content/index.ts";
import { checkContent, partsOf } from "../outbound/index.ts";
import { viewOf } from "../people/index.ts";
import { isReferenced, type Queries, type Tx, violatedUnique } from "../platform/db/index.ts";
import { badField, notFound, Problem } from "../platform/http/index.ts";
import { decodeId, newId } from "../platform/ids.ts";
import { NO_LINKS } from "../subscriptions/index.ts";
import { checkTemplate } from "../templates/index.ts";
import { byId, insert, lockById, remove, type TransactionalRow, update } from "./store.ts";
import { withTemplates } from "./templated.ts";

/** A trigger name as it is kept and looked up: `ä` is one character or two, depending on who types it. */
export const spelled = (name: string): string => name.trim().normalize();

/** Makes a transactional. @throws Problem invalid_request, template_error, template_not_found, conflict for a trigger name that is taken */
export async function create(
  tx: Tx,
  workspaceId: string,
  input: TransactionalInput,
  now: Date,
): Promise<TransactionalRow> {
  checkContent(input.channel, input.content);
  await checkTemplate(tx, workspaceId, input.content);
  const { name, subscription_preference, channel, content, at_most_once = false } = input;
  const trigger_name = named(input.trigger_name);
  const row = {
    workspace_id: workspaceId,
    id: newId(),
    name,
    trigger_name,
    subscription_preference,
    channel,
    content,
    topic_id: topicOf(input.topic_id ?? null),
    ...tracked(input.tracking ?? { opens: false, clicks: false }),
    at_most_once,
  };
  return unique(trigger_name, () => insert(tx, row, now));
}

/** A transactional's name, for whoever knows its id on the wire only; undefined for ids of other things. */
export async function nameOf(q: Queries, workspaceId: string, text: string): Promise<string | undefined> {
  const id = decodeId("tx", text);
  return id && (await byId(q, workspaceId, id))?.name;
}

const tracked = ({ opens, clicks }: NonNullable<TransactionalInput["tracking"]>) => ({
  track_opens: opens,
  track_clicks: clicks,
});

const named = (name: string | null | undefined): string | null => (name ? spelled(name) : null);

function topicOf(text: string | null): string | null {
  if (text === null) return null;
  const id = decodeId("top", text);
  if (!id) throw noTopic();
  return id;
}

const noTopic = (): Problem => badField("/topic_id", "names no topic of this workspace");

/** Changes it; new content replaces the old as a whole and counts the version up. @throws as create, and not_found */
export async function change(
  tx: Tx,
  workspaceId: string,
  id: string,
  patch: TransactionalPatch,
  now: Date,
): Promise<TransactionalRow> {
  const before = await lockById(tx, workspaceId, id);
  if (!before) throw notFound("transactional");
  if (patch.content) {
    checkContent(before.channel, patch.content);
    await checkTemplate(tx, workspaceId, patch.content);
  }
  const { tracking, topic_id, ...fields } = patch;
  // The same content again is no new version of it.
  const { content, ...others } = fields;
  const rest = isDeepStrictEqual(content, before.content) ? others : fields;
  const changes = {
    ...rest,
    ...(rest.trigger_name && { trigger_name: spelled(rest.trigger_name) }),
    ...(tracking && tracked(tracking)),
    ...(topic_id !== undefined && { topic_id: topicOf(topic_id) }),
  };
  const row = await unique(patch.trigger_name ?? null, () => update(tx, workspaceId, id, changes, now));
  if (!row) throw notFound("transactional");
  return row;
}

/** Removes it. What was triggered is sent all the same: deliveries carry their own content. @throws Problem not_found */
export async function discard(tx: Tx, workspaceId: string, id: string): Promise<void> {
  if ((await remove(tx, workspaceId, id)) === 0) throw notFound("transactional");
}

/** Renders it for a person, known or made up, without sending. @throws Problem not_found, person_not_found, template_error */
export async function preview(
  q: Queries,
  workspaceId: string,
  id: string,
  input: { person_id?: string; person?: Record<string, unknown>; message_data?: Record<string, unknown> },
): Promise<{ content: Record<string, unknown>; missing: string[] }> {
  const [row] = await withTemplates(q, [await byId(q, workspaceId, id)]);
  if (!row) throw notFound("transactional");
  const person = { ...(await viewOf(q, workspaceId, input.person_id)), ...input.person };
  const trigger = input.message_data ?? {};
  const parts = partsOf(row.channel, row.content);
  const texts = await renderParts(parts, {
    person,
    trigger,
    links: NO_LINKS,
    turn: { workspaceId, kind: "preview" },
  });
  const content = Object.fromEntries(parts.map((part, i) => [part.name, texts[i]]));
  return { content, missing: missingFields(parts, trigger) };
}

async function unique<T>(name: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isReferenced(error)) throw noTopic();
    if (violatedUnique(error) !== "transactionals_trigger_name") throw error;
    throw new Problem("conflict", `The trigger name ${name} is taken by another transactional of this workspace.`, {
      errors: [{ pointer: "/trigger_name", message: "is taken" }],
      cause: error,
    });
  }
}
