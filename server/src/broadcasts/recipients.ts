import { isPersonal, queue as queueInApp } from "../inapp/index.ts";
import { type Content, type Message, type OutboundGround, queue as queuePushed } from "../outbound/index.ts";
import { type Person, tokensOf } from "../people/index.ts";
import type { Queries, Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import { atMost } from "../platform/limits/at-most.ts";
import { mayReceive, messageLinks, suppressed } from "../subscriptions/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import { doublesAmong } from "./addresses.ts";
import { askOf } from "./ask.ts";
import { type Composed, compose, isReachable } from "./compose.ts";
import { type Fields, filled } from "./content.ts";
import { type Edition, editionsOf, messageIdOf } from "./editions.ts";
import type { BroadcastRow } from "./store.ts";

/** Renders at once. Heavy ones wait for a thread, and when 100 wait all others are refused, those of requests too. */
const RENDERS = 8;

/** One delivery that may be to be. */
export interface Recipient {
  deliveryId: string;
  person: Person;
}

/** A person and what is meant for them. */
export interface Asked {
  person: Person;
  edition: Edition;
}

/** For each person, why they would get nothing; undefined for those who would. By the states and addresses of now. */
export async function refusals(q: Queries, row: BroadcastRow, asked: Asked[]): Promise<(string | undefined)[]> {
  const { channel } = row;
  const tokens = new Map<string, number>();
  const ask = await askOf(q, row);
  if (channel === "push" && asked.length > 0) {
    const keys = asked.map(({ person }) => person.person_key);
    for (const { person_key } of await tokensOf(q, keys)) tokens.set(person_key, (tokens.get(person_key) ?? 0) + 1);
  }
  return asked.map(({ person, edition }) => {
    const reason = mayReceive(person, ask);
    if (reason !== undefined) return reason;
    return isReachable(channel, edition.said.content, person, tokens.get(person.person_key) ?? 0)
      ? undefined
      : "no_address";
  });
}

/** For each of these addresses whether it is on the suppression list, which queueing asks by itself. */
export async function listed(q: Queries, row: BroadcastRow, people: Person[]): Promise<boolean[]> {
  const { channel } = row;
  if (channel !== "email" && channel !== "sms") return people.map(() => false);
  const addresses = people.map((person) => (channel === "email" ? person.email : person.phone) ?? "");
  const found = await suppressed(
    q,
    addresses.map((address) => ({ workspaceId: row.workspace_id, channel, address })),
  );
  return found.map((row) => row !== undefined);
}

/** Whether what is said or who gets which of it takes more of a person than their states: their address, attributes or language. */
export async function needsWhole(q: Queries, workspace: Workspace, row: BroadcastRow): Promise<boolean> {
  if (row.channel !== "in_app") return true;
  for (const edition of editionsOf(row)) {
    if (edition.locale !== null || (await isPersonal(q, workspace, messageOf(edition)))) return true;
  }
  return false;
}

const messageOf = (edition: Edition) => ({
  messageId: messageIdOf(edition) ?? "",
  version: edition.said.message_version ?? 1,
});

/** Queues a broadcast to these people, or a test of it: each gets a delivery, if only one that says why there is no message. */
export async function queueTo(
  tx: Tx,
  ground: OutboundGround,
  workspace: Workspace,
  row: BroadcastRow,
  recipients: (Recipient & Asked)[],
  now: Date,
): Promise<void> {
  if (recipients.length === 0) return;
  const reasons = await refusals(tx, row, recipients);
  if (row.channel !== "in_app") {
    const willing = recipients.filter((_, i) => reasons[i] === undefined).map(({ person }) => person);
    const doubles = await doublesAmong(tx, row, willing);
    const senderNeeded = row.channel === "email" && (await ground.senders.needsSender(workspace.id));
    const contents = await contentsOf(tx, row, recipients);
    const messages = await atMost(RENDERS, recipients, (recipient, i) =>
      messageTo(ground, workspace, row, recipient, {
        content: contents.get(recipient.edition) ?? {},
        senderNeeded,
        now,
        reason: reasons[i] ?? (doubles.has(recipient.person.person_key) ? "same_address" : undefined),
      }),
    );
    await queuePushed(tx, ground, messages);
    return;
  }
  const asked = recipients.map((recipient, i) => ({ ...recipient, refused: reasons[i] }));
  for (const [edition, part] of Map.groupBy(asked, (recipient) => recipient.edition)) {
    await queueInApp(tx, workspace, {
      source: "broadcast",
      sourceId: row.id,
      variant: edition.variant,
      ...messageOf(edition),
      recipients: part,
      now,
    });
  }
  const live = reasons.filter((reason) => reason === undefined).length;
  tx.afterCommit(() => ground.metrics.queued.inc({ channel: row.channel }, live));
}

/** What each edition among these says, with its template's texts in place: each once a page. */
async function contentsOf(q: Queries, row: BroadcastRow, asked: Asked[]): Promise<Map<Edition, Fields>> {
  const contents = new Map<Edition, Fields>();
  for (const edition of new Set(asked.map((one) => one.edition)))
    contents.set(edition, await filled(q, row.workspace_id, edition.said.content ?? {}));
  return contents;
}

/** How one message is made: what it says, and whether the email needs a sender of its own. */
interface How {
  content: Fields;
  senderNeeded: boolean;
}

/** A message for one person as it is composed now. @throws Problem for what can't be made for this person */
export const composedFor = (
  ground: Ground,
  workspace: Workspace,
  row: BroadcastRow,
  { deliveryId, person }: Recipient,
  { content, senderNeeded }: How,
): Promise<Composed> => {
  const { workspace_id: workspaceId, channel } = row;
  const topicId = row.topic_id ?? undefined;
  const links = messageLinks(ground, { workspaceId, personKey: person.person_key, channel, topicId, deliveryId });
  return compose({ ...row, content }, { workspace, person, links, senderNeeded });
};

async function messageTo(
  ground: OutboundGround,
  workspace: Workspace,
  row: BroadcastRow,
  recipient: Recipient & Asked,
  { content, senderNeeded, now, reason }: How & { now: Date; reason: string | undefined },
): Promise<Message> {
  const { channel } = row;
  if (channel === "in_app") throw new Error("in-app messages are queued by their own door");
  const base = {
    workspaceId: row.workspace_id,
    personKey: recipient.person.person_key,
    deliveryId: recipient.deliveryId,
    channel,
    source: "broadcast" as const,
    sourceId: row.id,
    queuedAt: now,
    variant: recipient.edition.variant,
    note: { source: "broadcast" },
    ...(row.subscription_preference === "subscribed" && { respects: { topicId: row.topic_id } }),
  };
  // Nothing is kept of what was never made.
  const none = { ...base, recipient: null, content: NOTHING, retainContent: false };
  if (reason === "no_address") return { ...none, status: "failed", reason };
  if (reason !== undefined) return { ...none, status: "suppressed", reason };
  try {
    const composed = await composedFor(ground, workspace, row, recipient, { content, senderNeeded });
    return { ...base, ...composed, status: "queued", retainContent: true };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { ...none, status: "failed", reason: error.message };
  }
}

const NOTHING: Content = { body: "", segments: 0 };
