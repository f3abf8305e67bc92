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
import { type Edition, listEditions, messageIdOf } from "../content/editions.ts";
import { withTemplate } from "../content/fixed.ts";
import { windowFor } from "../rules/limits.ts";
import type { Sending } from "../sending.ts";
import type { PersonWithEdition } from "./refusals.ts";

/** How many messages are rendered at once. Heavy ones wait for a thread; when 100 wait, all others are refused, also those of requests. */
const RENDERS = 8;

/** A person who gets one delivery of a sending. A refused person's delivery only tells why there is no message. */
export interface Recipient extends PersonWithEdition {
  /** Derived from the cause, so that a batch that is repeated queues nobody twice. */
  deliveryId: string;
  /** Why this person gets nothing: a reason from `refusals`, or one of the sender's own. */
  refused?: string | undefined;
  /** The data that the content sees beside the person. */
  cause?: Cause;
}

export interface WorkspaceSending {
  workspace: Workspace;
  sending: Sending;
}

export interface QueueContext extends WorkspaceSending {
  now: Date;
}

/** Whether queueing needs people with their attributes, addresses, languages and zones; if not, their states are enough. */
export async function needsFullPeople(q: Queries, workspace: Workspace, sending: Sending): Promise<boolean> {
  if (sending.channel !== "in_app" || windowFor(workspace.marketing_limits, sending.channel)) return true;
  for (const edition of listEditions(sending.editions)) {
    if (edition.locale !== null || (await isPersonal(q, workspace, messageOf(edition)))) return true;
  }
  return false;
}

const messageOf = (edition: Edition) => ({
  messageId: messageIdOf(edition) ?? "",
  version: edition.message_version ?? 1,
});

/**
 * Queues a sending to these people in the caller's transaction. Each gets a delivery; the delivery of a refused person tells why.
 * @returns the reasons of the deliveries that are not sent, by their ids
 * @throws Problem in_app_disabled, template_not_found
 */
export async function queueTo(
  tx: Tx,
  ground: OutboundGround,
  { workspace, sending, now }: QueueContext,
  recipients: Recipient[],
): Promise<Map<string, string>> {
  const failed = new Map<string, string>();
  if (recipients.length === 0) return failed;
  const { channel, source, sourceId, step } = sending;
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
      ...(step && { step }),
      variant: edition.variant,
      topicId: sending.topicId,
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

/** Returns the source of each edition among these, with the texts of its template. Each is read once per batch. */
async function sourcesOf(q: Queries, sending: Pushed, recipients: PersonWithEdition[]): Promise<Map<Edition, Source>> {
  const sources = new Map<Edition, Source>();
  for (const edition of new Set(recipients.map(({ edition }) => edition)))
    sources.set(edition, await sourceFor(q, sending, edition));
  return sources;
}

/** Returns an edition's content, ready to be rendered. @throws Problem template_not_found */
export const sourceFor = async (q: Queries, { workspaceId, channel }: Pushed, { content }: Edition): Promise<Source> =>
  sourceOf(channel, await withTemplate(q, workspaceId, content ?? {}));

interface RenderInput {
  source: Source;
  /** Whether an email must name its own sender, because no default is set. */
  senderNeeded: boolean;
}

/** Composes the message for one person. @throws Problem if it can't be composed for this person */
export function composedFor(
  ground: Ground,
  { workspace, sending }: WorkspaceSending,
  { deliveryId, person, cause = { trigger: {} } }: Omit<Recipient, "edition">,
  { source, senderNeeded }: RenderInput,
): Promise<Composed> {
  const { workspaceId, channel, tracking, preference } = sending;
  const topicId = sending.topicId ?? undefined;
  const links = messageLinks(ground, { workspaceId, personKey: person.person_key, channel, topicId, deliveryId });
  const respects = preference === "subscribed";
  return compose(source, { workspace, person, cause, links, kind: "bulk", tracking, respects, senderNeeded });
}

async function messageTo(
  ground: OutboundGround,
  { workspace, sending, now }: QueueContext,
  recipient: Recipient,
  input: RenderInput,
): Promise<Message> {
  const { source, sourceId, step, preference, topicId } = sending;
  const { refused: reason } = recipient;
  const base = {
    workspaceId: sending.workspaceId,
    personKey: recipient.person.person_key,
    deliveryId: recipient.deliveryId,
    channel: input.source.channel,
    source,
    sourceId,
    ...(step && { step }),
    queuedAt: now,
    variant: recipient.edition.variant,
    note: { source },
    topicId,
    respects: preference === "subscribed",
  };
  // A message that was never composed has no content to store.
  const none = { ...base, recipient: null, content: NO_CONTENT, retainContent: false };
  if (reason === "no_address") return { ...none, status: "failed", reason };
  if (reason !== undefined) return { ...none, status: "suppressed", reason };
  try {
    const composed = await composedFor(ground, { workspace, sending }, recipient, input);
    return { ...base, ...composed, status: "queued", retainContent: true };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { ...none, status: "failed", reason: error.message };
  }
}

const NO_CONTENT: Content = { body: "", segments: 0 };
