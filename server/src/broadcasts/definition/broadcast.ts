import type { BroadcastInput, BroadcastPatch } from "@tidings/contract/messages/broadcasts";
import { assertAllowed } from "../../inapp/index.ts";
import { isReferenced, type Queries, type Tx } from "../../platform/db/index.ts";
import { badField, notFound } from "../../platform/http/index.ts";
import { decodeId, newId } from "../../platform/ids.ts";
import { noTopic, readEditions, readRules } from "../../sendings/index.ts";
import { workspaceById } from "../../workspaces/index.ts";
import { nextStatus } from "../rules/status.ts";
import { checkAudience } from "./audience.ts";
import { editionColumns, editionsOf, ruleColumns } from "./sending.ts";
import { type Authored, type BroadcastRow, insert, lockById, remove, write } from "./store.ts";

/** Creates a draft. @throws Problem in_app_disabled, invalid_request for an unknown audience, message or topic */
export async function create(tx: Tx, workspaceId: string, input: BroadcastInput, now: Date): Promise<BroadcastRow> {
  const { name, channel } = input;
  if (channel === "in_app") await assertInApp(tx, workspaceId);
  const audience = await audienceOf(tx, workspaceId, input, now);
  if (!audience) throw badField("/audience", "is required, or audience_id");
  const editions = editionColumns(await readEditions({ q: tx, workspaceId, channel, source: "broadcast" }, input));
  const row = { workspace_id: workspaceId, id: newId(), name, channel, ...audience, ...editions, ...DEFAULTS };
  return withTopic(() => insert(tx, { ...row, ...rulesOf(input) }, now));
}

/** Changes a draft or a scheduled broadcast. @throws Problem as create, not_found, wrong_status */
export async function change(
  tx: Tx,
  workspaceId: string,
  { id, patch, now }: { id: string; patch: BroadcastPatch; now: Date },
): Promise<BroadcastRow> {
  const row = await locked(tx, workspaceId, id);
  nextStatus(row.status, "edit");
  const { name, message_id, content, locales, variants } = patch;
  const changesEditions = [message_id, content, locales, variants].some((field) => field !== undefined);
  const changes: Partial<Authored> = {
    ...(name !== undefined && { name }),
    ...(await audienceOf(tx, workspaceId, patch, now)),
    ...(changesEditions &&
      editionColumns(
        await readEditions({ q: tx, workspaceId, channel: row.channel, source: "broadcast" }, patch, editionsOf(row)),
      )),
    ...rulesOf(patch),
  };
  return withTopic(() => write(tx, { ...row, ...changes }, now));
}

const DEFAULTS = {
  holdout_percent: 0,
  topic_id: null,
  track_opens: false,
  track_clicks: false,
  subscription_preference: "subscribed",
  when_held: "wait",
  rate_per_second: null,
} as const;

/** Returns the columns of the rules that the input names. @throws Problem invalid_request naming the field */
function rulesOf(input: BroadcastPatch) {
  const { rate_per_second } = input;
  return { ...ruleColumns(readRules(input)), ...(rate_per_second !== undefined && { rate_per_second }) };
}

/** Turns a violated foreign key into a problem: the topic is the only one that a row has. */
async function withTopic<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isReferenced(error) ? noTopic() : error;
  }
}

/** Removes a broadcast; its deliveries stay. @throws Problem not_found, wrong_status while it is sending or paused */
export async function discard(tx: Tx, workspaceId: string, id: string): Promise<void> {
  nextStatus((await locked(tx, workspaceId, id)).status, "remove");
  await remove(tx, workspaceId, id);
}

/** Returns the broadcast, locked until the transaction ends. @throws Problem not_found */
export async function locked(tx: Tx, workspaceId: string, id: string): Promise<BroadcastRow> {
  const row = await lockById(tx, workspaceId, id);
  if (!row) throw notFound("broadcast");
  return row;
}

/** @throws Problem in_app_disabled */
async function assertInApp(q: Queries, workspaceId: string): Promise<void> {
  const workspace = await workspaceById(q, workspaceId);
  if (workspace) assertAllowed(workspace);
}

/** Returns the audience that the fields name, which replaces the one before; undefined if they name none. */
async function audienceOf(
  tx: Tx,
  workspaceId: string,
  { audience_id, audience }: Pick<BroadcastPatch, "audience_id" | "audience">,
  now: Date,
): Promise<Pick<Authored, "audience_id" | "audience"> | undefined> {
  if (audience_id === undefined && audience === undefined) return undefined;
  if (audience_id !== undefined && audience !== undefined)
    throw badField("/audience", "can't be given with audience_id: give one of them");
  const id = audience_id === undefined ? null : decodeId("aud", audience_id);
  if (id === undefined) throw badField("/audience_id", "names no audience of this workspace");
  const chosen = { audience_id: id, audience: audience ?? null };
  await checkAudience(tx, workspaceId, chosen, now);
  return chosen;
}
