import { queue as queueInApp } from "../inapp/index.ts";
import { type Content, type Message, needsSender, queue as queuePushed } from "../outbound/index.ts";
import { type Person, tokensOf } from "../people/index.ts";
import { atMost } from "../platform/at-most.ts";
import type { Queries, Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import { mayReceive, messageLinks, suppressed } from "../subscriptions/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import { type Composed, compose, isReachable } from "./compose.ts";
import type { BroadcastRow } from "./store.ts";

/** Renders at once. Heavy ones wait for a thread, and when 100 wait all others are refused, those of requests too. */
const RENDERS = 8;

/** One delivery that is to be. */
export interface Recipient {
  deliveryId: string;
  person: Person;
}

/** For each person, why they would get nothing; undefined for those who would. By the states and addresses of now. */
export async function refusals(q: Queries, row: BroadcastRow, people: Person[]): Promise<(string | undefined)[]> {
  const { channel, subscription_preference: preference } = row;
  const tokens = new Map<string, number>();
  if (channel === "push" && people.length > 0) {
    const keys = people.map((person) => person.person_key);
    for (const { person_key } of await tokensOf(q, keys)) tokens.set(person_key, (tokens.get(person_key) ?? 0) + 1);
  }
  return people.map((person) => {
    const reason = mayReceive(person, { channel, preference });
    if (reason !== undefined) return reason;
    return isReachable(row, person, tokens.get(person.person_key) ?? 0) ? undefined : "no_address";
  });
}

/** The same with the suppression list, which queueing asks by itself. */
export async function exclusions(q: Queries, row: BroadcastRow, people: Person[]): Promise<(string | undefined)[]> {
  const reasons = await refusals(q, row, people);
  const { channel } = row;
  if (channel !== "email" && channel !== "sms") return reasons;
  const addresses = people.map((person) => (channel === "email" ? person.email : person.phone) ?? "");
  const found = await suppressed(
    q,
    addresses.map((address) => ({ workspaceId: row.workspace_id, channel, address })),
  );
  return reasons.map((reason, i) => reason ?? (found[i] ? "suppressed" : undefined));
}

/** Queues a broadcast to these people, or a test of it: each gets a delivery, if only one that says why there is no message. */
export async function queueTo(
  tx: Tx,
  ground: Ground,
  workspace: Workspace,
  row: BroadcastRow,
  recipients: Recipient[],
  now: Date,
): Promise<void> {
  if (recipients.length === 0) return;
  const people = recipients.map(({ person }) => person);
  const reasons = await refusals(tx, row, people);
  if (row.channel !== "in_app") {
    const senderNeeded = row.channel === "email" && (await senders(ground)(workspace.id));
    const messages = await atMost(RENDERS, recipients, (recipient, i) =>
      messageTo(ground, workspace, row, recipient, { senderNeeded, now, reason: reasons[i] }),
    );
    await queuePushed(tx, ground, messages);
    return;
  }
  await queueInApp(tx, workspace, {
    source: "broadcast",
    sourceId: row.id,
    messageId: row.message_id ?? "",
    version: row.message_version ?? 1,
    recipients: recipients.map((recipient, i) => ({ ...recipient, refused: reasons[i] })),
    now,
  });
  const live = reasons.filter((reason) => reason === undefined).length;
  tx.afterCommit(() => ground.metrics.queued.inc({ channel: row.channel }, live));
}

// One a process: it listens for changes of providers.
const asked = new WeakMap<Ground, ReturnType<typeof needsSender>>();
export function senders(ground: Ground): ReturnType<typeof needsSender> {
  const known = asked.get(ground) ?? needsSender(ground);
  asked.set(ground, known);
  return known;
}

/** A message for one person as it is composed now. @throws Problem for what can't be made for this person */
export const composedFor = (
  ground: Ground,
  workspace: Workspace,
  row: BroadcastRow,
  { deliveryId, person }: Recipient,
  senderNeeded: boolean,
): Promise<Composed> => {
  const { workspace_id: workspaceId, channel } = row;
  const links = messageLinks(ground, { workspaceId, personKey: person.person_key, channel, deliveryId });
  return compose(row, { workspace, person, links, senderNeeded });
};

async function messageTo(
  ground: Ground,
  workspace: Workspace,
  row: BroadcastRow,
  recipient: Recipient,
  { senderNeeded, now, reason }: { senderNeeded: boolean; now: Date; reason: string | undefined },
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
    note: { source: "broadcast" },
    ...(row.subscription_preference === "subscribed" && { respects: { topicId: null } }),
  };
  // Nothing is kept of what was never made.
  const none = { ...base, recipient: null, content: NOTHING, retainContent: false };
  if (reason === "no_address") return { ...none, status: "failed", reason };
  if (reason !== undefined) return { ...none, status: "suppressed", reason };
  try {
    const composed = await composedFor(ground, workspace, row, recipient, senderNeeded);
    return { ...base, ...composed, status: "queued", retainContent: true };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { ...none, status: "failed", reason: error.message };
  }
}

const NOTHING: Content = { body: "", segments: 0 };
