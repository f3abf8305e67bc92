import type { Channel } from "@tidings/contract/activity";
import type { BroadcastInput, BroadcastPatch } from "@tidings/contract/broadcasts";
import { assertAllowed, type MessageRow, messageById } from "../inapp/index.ts";
import type { Queries, Tx } from "../platform/db/index.ts";
import { badField, notFound, Problem } from "../platform/http/index.ts";
import { decodeId, newId } from "../platform/ids.ts";
import { workspaceById } from "../workspaces/index.ts";
import { checkAudience } from "./audience.ts";
import { checkWritten } from "./content.ts";
import { type Authored, type BroadcastRow, insert, lockById, remove, write } from "./store.ts";
import { moved } from "./status.ts";

/** Makes a draft. @throws Problem in_app_disabled, invalid_request for an audience or a message that is not there */
export async function create(tx: Tx, workspaceId: string, input: BroadcastInput, now: Date): Promise<BroadcastRow> {
  const { name, channel, subscription_preference = "subscribed", rate_per_second = null } = input;
  if (channel === "in_app") await assertOn(tx, workspaceId);
  const audience = await audienceOf(tx, workspaceId, input, now);
  if (!audience) throw badField("/audience", "is required, or audience_id");
  return insert(
    tx,
    {
      workspace_id: workspaceId,
      id: newId(),
      name,
      channel,
      ...audience,
      ...(await saidOf(tx, workspaceId, channel, input)),
      subscription_preference,
      rate_per_second,
    },
    now,
  );
}

/** Changes a draft or a scheduled one. @throws Problem as create, not_found, wrong_status */
export async function change(
  tx: Tx,
  workspaceId: string,
  id: string,
  patch: BroadcastPatch,
  now: Date,
): Promise<BroadcastRow> {
  const row = await locked(tx, workspaceId, id);
  moved(row.status, "edit");
  const { name, subscription_preference, rate_per_second } = patch;
  const changes: Partial<Authored> = {
    ...(name !== undefined && { name }),
    ...(subscription_preference !== undefined && { subscription_preference }),
    ...(rate_per_second !== undefined && { rate_per_second }),
    ...(await audienceOf(tx, workspaceId, patch, now)),
    ...((patch.message_id !== undefined || patch.content !== undefined) &&
      (await saidOf(tx, workspaceId, row.channel, patch))),
  };
  return write(tx, { ...row, ...changes }, now);
}

/** Removes it; what it sent stays. @throws Problem not_found, wrong_status while it is sending or paused */
export async function discard(tx: Tx, workspaceId: string, id: string): Promise<void> {
  moved((await locked(tx, workspaceId, id)).status, "remove");
  await remove(tx, workspaceId, id);
}

/** The broadcast, locked. @throws Problem not_found */
export async function locked(tx: Tx, workspaceId: string, id: string): Promise<BroadcastRow> {
  const row = await lockById(tx, workspaceId, id);
  if (!row) throw notFound("broadcast");
  return row;
}

/** The message that it will send, as it is now. @throws Problem content_missing where it was removed since */
export async function messageFor(q: Queries, row: BroadcastRow): Promise<MessageRow> {
  const message = row.message_id === null ? undefined : await messageById(q, row.workspace_id, row.message_id);
  if (message) return message;
  throw new Problem(
    "content_missing",
    "The in-app message of this broadcast was removed: give it another message_id.",
    {
      errors: [{ pointer: "/message_id", message: "names a message that was removed" }],
    },
  );
}

/** @throws Problem in_app_disabled */
async function assertOn(q: Queries, workspaceId: string): Promise<void> {
  const workspace = await workspaceById(q, workspaceId);
  if (workspace) assertAllowed(workspace);
}

/** What it says: in-app a message, in the other channels content. */
async function saidOf(
  q: Queries,
  workspaceId: string,
  channel: Channel,
  { message_id, content }: Pick<BroadcastPatch, "message_id" | "content">,
): Promise<Pick<Authored, "message_id" | "content">> {
  if (channel === "in_app") {
    if (content !== undefined) throw badField("/content", "belongs to the other channels: in-app takes a message_id");
    if (message_id === undefined) throw badField("/message_id", "is required for in-app");
    return { message_id: await messageOf(q, workspaceId, message_id), content: null };
  }
  if (message_id !== undefined) throw badField("/message_id", "belongs to in-app: this channel takes content");
  if (content === undefined) throw badField("/content", `is required for ${channel}`);
  await checkWritten(q, workspaceId, channel, content);
  return { message_id: null, content };
}

async function messageOf(q: Queries, workspaceId: string, text: string): Promise<string> {
  const id = decodeId("msg", text);
  if (id && (await messageById(q, workspaceId, id))) return id;
  throw badField("/message_id", "names no in-app message of this workspace");
}

/** The audience that the fields name, in place of the one before; undefined where they name none. */
async function audienceOf(
  q: Queries,
  workspaceId: string,
  { audience_id, audience }: Pick<BroadcastPatch, "audience_id" | "audience">,
  now: Date,
): Promise<Pick<Authored, "audience_id" | "audience"> | undefined> {
  if (audience_id === undefined && audience === undefined) return undefined;
  if (audience_id !== undefined && audience !== undefined)
    throw badField("/audience", "can't stand beside audience_id: give one of them");
  const id = audience_id === undefined ? null : decodeId("aud", audience_id);
  if (id === undefined) throw badField("/audience_id", "names no audience of this workspace");
  const chosen = { audience_id: id, audience: audience ?? null };
  await checkAudience(q, workspaceId, chosen, now);
  return chosen;
}
