import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { isPersonal, queue as queueInApp } from "../../inapp/index.ts";
import {
  type Composed,
  type Content,
  compose,
  type Message,
  type OutboundGround,
  queue as queuePushed,
  type Source,
  sourceOf,
} from "../../outbound/index.ts";
import type { Cause } from "../../content/index.ts";
import type { Queries, Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { atMost } from "../../platform/limits/at-most.ts";
import { messageLinks } from "../../subscriptions/index.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { type Edition, editionsOf, messageIdOf } from "../content/editions.ts";
import { withTemplate } from "../content/fixed.ts";
import type { Sending } from "../sending.ts";
import type { Asked } from "./refusals.ts";

/** Renders at once. Heavy ones wait for a thread, and when 100 wait all others are refused, those of requests too. */
const RENDERS = 8;

/** A person who gets one delivery of a sending, if only one that says why there is no message. */
export interface Recipient extends Asked {
  /** Derived from the cause, so that a page that is repeated queues nobody twice. */
  deliveryId: string;
  /** Why this person gets nothing: of `refusals`, or a reason of the sender's own. */
  refused?: string | undefined;
  /** What the content sees beside the person. */
  cause?: Cause;
}

/** A sending with what queueing it needs beside. */
export interface Queueing {
  workspace: Workspace;
  sending: Sending;
  now: Date;
}

/** Whether people's attributes, addresses or languages are needed, and not only their states. */
export async function needsWhole(q: Queries, workspace: Workspace, sending: Sending): Promise<boolean> {
  if (sending.channel !== "in_app") return true;
  for (const edition of editionsOf(sending.saying)) {
    if (edition.locale !== null || (await isPersonal(q, workspace, messageOf(edition)))) return true;
  }
  return false;
}

const messageOf = (edition: Edition) => ({
  messageId: messageIdOf(edition) ?? "",
  version: edition.said.message_version ?? 1,
});

/**
 * Queues a sending to these people in the caller's transaction. Each gets a delivery: who is refused gets one that says why.
 * @returns the reasons of the deliveries that are not sent, by their ids
 * @throws Problem in_app_disabled, template_not_found
 */
export async function queueTo(
  tx: Tx,
  ground: OutboundGround,
  { workspace, sending, now }: Queueing,
  recipients: Recipient[],
): Promise<Map<string, string>> {
  const failed = new Map<string, string>();
  if (recipients.length === 0) return failed;
  const { channel, source, sourceId } = sending;
  if (channel !== "in_app") {
    const senderNeeded = channel === "email" && (await ground.senders.needsSender(workspace.id));
    const sources = await sourcesOf(tx, { ...sending, channel }, recipients);
    const messages = await atMost(RENDERS, recipients, (recipient) =>
      messageTo(ground, { workspace, sending, now }, recipient, {
        source: sources.get(recipient.edition) as Source,
        senderNeeded,
      }),
    );
    const made = await queuePushed(tx, ground, messages);
    for (const { deliveryId, status, reason } of made)
      if (status !== "queued") failed.set(deliveryId, reason ?? status);
    return failed;
  }
  for (const [edition, part] of Map.groupBy(recipients, (recipient) => recipient.edition)) {
    const results = await queueInApp(tx, workspace, {
      source,
      sourceId,
      variant: edition.variant,
      ...messageOf(edition),
      recipients: part,
      now,
    });
    for (const { deliveryId, reason } of results) if (reason !== null) failed.set(deliveryId, reason);
  }
  const live = recipients.filter(({ refused }) => refused === undefined).length;
  tx.afterCommit(() => ground.metrics.queued.inc({ channel }, live));
  return failed;
}

type Pushed = Sending & { channel: PushedChannel };

/** What each edition among these says, with the texts of its template: each once a page. */
async function sourcesOf(q: Queries, sending: Pushed, asked: Asked[]): Promise<Map<Edition, Source>> {
  const sources = new Map<Edition, Source>();
  for (const edition of new Set(asked.map((one) => one.edition)))
    sources.set(edition, await sourceFor(q, sending, edition));
  return sources;
}

/** What an edition says, ready to be rendered. @throws Problem template_not_found */
export const sourceFor = async (q: Queries, { workspaceId, channel }: Pushed, { said }: Edition): Promise<Source> =>
  sourceOf(channel, await withTemplate(q, workspaceId, said.content ?? {}));

/** How one message is made: what it says, and whether the email needs a sender of its own. */
interface How {
  source: Source;
  senderNeeded: boolean;
}

/** A message for one person as it is composed now. @throws Problem for what can't be made for this person */
export function composedFor(
  ground: Ground,
  { workspace, sending }: Pick<Queueing, "workspace" | "sending">,
  { deliveryId, person, cause = { trigger: {} } }: Omit<Recipient, "edition">,
  { source, senderNeeded }: How,
): Promise<Composed> {
  const { workspaceId, channel, tracking, preference } = sending;
  const topicId = sending.topicId ?? undefined;
  const links = messageLinks(ground, { workspaceId, personKey: person.person_key, channel, topicId, deliveryId });
  const respects = preference === "subscribed";
  return compose(source, { workspace, person, cause, links, kind: "bulk", tracking, respects, senderNeeded });
}

async function messageTo(
  ground: OutboundGround,
  { workspace, sending, now }: Queueing,
  recipient: Recipient,
  how: How,
): Promise<Message> {
  const { source, sourceId, preference, topicId } = sending;
  const { refused: reason } = recipient;
  const base = {
    workspaceId: sending.workspaceId,
    personKey: recipient.person.person_key,
    deliveryId: recipient.deliveryId,
    channel: how.source.channel,
    source,
    sourceId,
    queuedAt: now,
    variant: recipient.edition.variant,
    note: { source },
    ...(preference === "subscribed" && { respects: { topicId } }),
  };
  // Nothing is kept of what was never made.
  const none = { ...base, recipient: null, content: NOTHING, retainContent: false };
  if (reason === "no_address") return { ...none, status: "failed", reason };
  if (reason !== undefined) return { ...none, status: "suppressed", reason };
  try {
    const composed = await composedFor(ground, { workspace, sending }, recipient, how);
    return { ...base, ...composed, status: "queued", retainContent: true };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { ...none, status: "failed", reason: error.message };
  }
}

const NOTHING: Content = { body: "", segments: 0 };
