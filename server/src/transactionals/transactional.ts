import { isDeepStrictEqual } from "node:util";
import type {
  DraftPreviewInput,
  PreviewInput,
  TransactionalInput,
  TransactionalPatch,
} from "@tidings/contract/messages/transactionals";
import { missingFields, renderParts } from "../content/index.ts";
import { checkContent, partsOf } from "../outbound/index.ts";
import { viewOf } from "../people/index.ts";
import { isReferenced, type Queries, type Tx, violatedUnique } from "../platform/db/index.ts";
import { badField, notFound, Problem } from "../platform/http/index.ts";
import { decodeId, newId } from "../platform/ids.ts";
import { NO_LINKS } from "../subscriptions/index.ts";
import { checkTemplate } from "../templates/index.ts";
import { contractOf } from "./contract.ts";
import { byId, insert, lockById, remove, type TransactionalRow, update } from "./store.ts";
import { withTemplates } from "./templated.ts";

/** Returns a trigger name in the form in which it is stored and looked up: `ä` may be typed as one character or as two. */
export const normalName = (name: string): string => name.trim().normalize();

/** Creates a transactional. @throws Problem invalid_request, template_error, template_not_found, conflict if the trigger name is taken */
export async function create(
  tx: Tx,
  workspaceId: string,
  input: TransactionalInput,
  now: Date,
): Promise<TransactionalRow> {
  checkContent(input.channel, input.content);
  await checkTemplate(tx, workspaceId, { content: input.content, source: "transactional" });
  const { name, subscription_preference, channel, content, at_most_once = false } = input;
  const trigger_name = triggerNameOf(input.trigger_name);
  const row = {
    workspace_id: workspaceId,
    id: newId(),
    name,
    trigger_name,
    subscription_preference,
    channel,
    content,
    topic_id: topicOf(input.topic_id ?? null),
    ...trackingColumns(input.tracking ?? { opens: false, clicks: false }),
    at_most_once,
  };
  return unique(trigger_name, () => insert(tx, row, now));
}

const trackingColumns = ({ opens, clicks }: NonNullable<TransactionalInput["tracking"]>) => ({
  track_opens: opens,
  track_clicks: clicks,
});

const triggerNameOf = (name: string | null | undefined): string | null => (name ? normalName(name) : null);

function topicOf(text: string | null): string | null {
  if (text === null) return null;
  const id = decodeId("top", text);
  if (!id) throw noTopic();
  return id;
}

const noTopic = (): Problem => badField("/topic_id", "names no topic of this workspace");

/** Changes a transactional. New content replaces all of the old content and raises the version. @throws Problem as create, and not_found */
export async function change(
  tx: Tx,
  workspaceId: string,
  { id, patch, now }: { id: string; patch: TransactionalPatch; now: Date },
): Promise<TransactionalRow> {
  const before = await lockById(tx, workspaceId, id);
  if (!before) throw notFound("transactional");
  if (patch.content) {
    checkContent(before.channel, patch.content);
    await checkTemplate(tx, workspaceId, { content: patch.content, source: "transactional" });
  }
  const { tracking, topic_id, ...fields } = patch;
  // Equal content makes no new version.
  const { content, ...others } = fields;
  const rest = isDeepStrictEqual(content, before.content) ? others : fields;
  const changes = {
    ...rest,
    ...(rest.trigger_name && { trigger_name: normalName(rest.trigger_name) }),
    ...(tracking && trackingColumns(tracking)),
    ...(topic_id !== undefined && { topic_id: topicOf(topic_id) }),
  };
  const row = await unique(patch.trigger_name ?? null, () => update(tx, workspaceId, { id, patch: changes, now }));
  if (!row) throw notFound("transactional");
  return row;
}

/** Removes a transactional. Its queued messages are still sent: deliveries have their own content. @throws Problem not_found */
export async function discard(tx: Tx, workspaceId: string, id: string): Promise<void> {
  if ((await remove(tx, workspaceId, id)) === 0) throw notFound("transactional");
}

type Rendered = Pick<TransactionalRow, "workspace_id" | "channel" | "content">;

/** Renders a transactional for a person, who may be invented, without sending. @throws Problem not_found, person_not_found, template_error */
export async function preview(
  q: Queries,
  workspaceId: string,
  id: string,
  input: PreviewInput,
): Promise<{ content: Record<string, unknown>; missing: string[] }> {
  const [row] = await withTemplates(q, [await byId(q, workspaceId, id)]);
  if (!row) throw notFound("transactional");
  return rendered(q, row, input);
}

/** Renders a content that is not saved, and says what it reads. @throws Problem invalid_request, person_not_found, template_error */
export async function previewDraft(q: Queries, workspaceId: string, input: DraftPreviewInput) {
  const { channel, content } = input;
  checkContent(channel, content);
  await checkTemplate(q, workspaceId, { content, source: "transactional" });
  const [row] = await withTemplates(q, [{ workspace_id: workspaceId, channel, content, name: "", trigger_name: null }]);
  if (!row) throw notFound("transactional");
  return { ...(await rendered(q, row, input)), contract: contractOf(row) as Record<string, unknown> };
}

async function rendered(q: Queries, { workspace_id, channel, content }: Rendered, input: PreviewInput) {
  const person = { ...(await viewOf(q, workspace_id, input.person_id)), ...input.person };
  const trigger = input.message_data ?? {};
  const parts = partsOf(channel, content);
  const turn = { workspaceId: workspace_id, kind: "preview" as const };
  const texts = await renderParts(parts, { person, trigger, links: NO_LINKS, turn });
  return {
    content: Object.fromEntries(parts.map((part, i) => [part.name, texts[i]])),
    missing: missingFields(parts, trigger),
  };
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
