import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { type Composed, type Message, NO_REACH, type OutboundGround, type Senders } from "../outbound/index.ts";
import { ambiguous, type Lookup, type Person, personKey, type Shared } from "../people/index.ts";
import { badField, Problem } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { mailbox } from "../platform/mailbox.ts";
import type { Answer, Keyed } from "../platform/resources/idempotency.ts";
import { mayReceive, messageLinks, type Topic } from "../subscriptions/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import { dueAt, type Whom, whom } from "./channels/call.ts";
import type { CallFacts, Composing, Input, Inputs, ReadChannel } from "./channels/channel.ts";
import { readEmail } from "./channels/email.ts";
import { readPush } from "./channels/push.ts";
import { readSms } from "./channels/sms.ts";
import { type Mark, markedId } from "./repeats.ts";
import type { TransactionalRow } from "./store.ts";

/** A trigger call as it came. */
export interface TriggerCall<C extends PushedChannel = PushedChannel> {
  channel: C;
  workspace: Workspace;
  input: Inputs[C];
  keyed: Keyed | undefined;
  /** Where it has no Idempotency-Key, and its client may mark a repeat. */
  mark?: Mark | undefined;
}

/** What the call says by itself. */
export interface Read {
  now: Date;
  whom: Whom;
  dueAt: Date | undefined;
  /** Addresses that the call names, as far as it does: nearly always all that the message will go to. */
  addresses: string[];
  compose(facts: CallFacts): Promise<Composed>;
}

/** What was found for a call. */
export interface Known {
  definition: TransactionalRow | undefined;
  person: Person | undefined;
  /** Where the call names an address that several people have, and nobody knows who is meant. */
  shared: Shared | undefined;
  /** Push: the person's devices. */
  devices: Parameters<Senders["reaches"]>[1];
  /** Of the definition. */
  topic: Topic | undefined;
  /** For each address that the call names, why it is on the suppression list, if it is. */
  listed: ReadonlyMap<string, string | undefined>;
}

/** A call that can be carried out. */
export interface Prepared {
  message: Message;
  /** Undefined where the person is known. */
  newPerson: Whom["newPerson"] | undefined;
  keyed: Keyed | undefined;
  personId: string;
  answer: Answer;
}

const channels: { [C in PushedChannel]: ReadChannel<C> } = { email: readEmail, push: readPush, sms: readSms };

/** Checks what needs no database, before anything is asked of it. @throws Problem invalid_request, recipient_invalid */
export async function readCall({ channel, workspace, input }: TriggerCall, now: Date): Promise<Read> {
  const read = channels[channel] as (workspace: Workspace, input: Input) => Composing | Promise<Composing>;
  const who = whom(workspace, input.identifiers);
  const due = dueAt(input.send_at, now);
  const { to = identified(channel, who.lookup), copies = [], compose } = await read(workspace, input);
  const addresses = [...(to === undefined ? [] : [to]), ...copies.flatMap((copy) => mailbox(copy)?.address ?? [])];
  return { now, whom: who, dueAt: due, addresses, compose };
}

/** The address by which the call names its person: where it says nothing else, the message goes there. */
function identified(channel: PushedChannel, lookup: Lookup): string | undefined {
  if (channel === "email") return "email" in lookup ? mailbox(lookup.email)?.address : undefined;
  return channel === "sms" && "phone" in lookup ? lookup.phone : undefined;
}

/**
 * Decides whom, what and when, and renders. Everything that can be wrong with a call is found here, before the answer.
 * @throws Problem ambiguous_recipient, transactional_not_found, channel_mismatch, content_missing, recipient_missing, recipient_invalid, and what rendering finds
 */
export async function prepare(ground: OutboundGround, call: TriggerCall, read: Read, known: Known): Promise<Prepared> {
  const { channel, workspace, input, keyed } = call;
  const { senders } = ground;
  if (known.shared) throw ambiguous(known.shared);
  const definition = checkDefinition(channel, input, known.definition);
  const person = known.person ?? blank(read.whom.newPerson);
  const called = "subscription_preference" in input ? input.subscription_preference : undefined;
  const preference = definition?.subscription_preference ?? called ?? "subscribed";
  if (called !== undefined && called !== preference)
    throw badField(
      "/subscription_preference",
      `is ${preference} in the transactional: leave it out, or change it there`,
    );
  const respects = preference === "subscribed";
  const topic = known.topic && { id: encodeId("top", known.topic.id), default: known.topic.default_state };
  const deliveryId = markedId(call.mark);
  const facts = {
    workspace,
    person,
    content: definition?.content,
    tokens: known.devices.map(({ token }) => token),
    senderNeeded: channel === "email" && (await senders.needsSender(workspace.id)),
    respects,
    tracking: { opens: definition?.track_opens ?? false, clicks: definition?.track_clicks ?? false },
    links: messageLinks(ground, {
      workspaceId: workspace.id,
      personKey: person.person_key,
      channel,
      topicId: known.topic?.id,
      deliveryId,
    }),
  };
  const { recipient, content } = await read.compose(facts);
  const unwanted = mayReceive(person, { channel, topic, preference });
  const unreached = channel === "push" && !(await senders.reaches(workspace.id, meantBy(known.devices, recipient)));
  const [status, reason] = unwanted
    ? ["suppressed" as const, unwanted]
    : unreached
      ? ["failed" as const, NO_REACH]
      : ["queued" as const];
  const message: Message = {
    workspaceId: workspace.id,
    personKey: person.person_key,
    deliveryId,
    channel,
    source: "transactional",
    sourceId: definition?.id ?? null,
    recipient,
    content,
    status,
    ...(reason !== undefined && { reason }),
    queuedAt: read.now,
    ...(read.dueAt && { dueAt: read.dueAt }),
    ...(input.expires_in !== undefined && { expiresInMs: input.expires_in * 1_000 }),
    retainContent: !(input.disable_message_retention ?? false),
    atMostOnce: definition?.at_most_once ?? false,
    ...(respects && { respects: { topicId: known.topic?.id ?? null } }),
  };
  const newPerson = known.person ? undefined : read.whom.newPerson;
  return { message, newPerson, keyed, personId: person.person_id, answer: answerOf(message, person.person_id) };
}

/** The devices that a push goes to; of `last_used` it is not known which it will be. */
const meantBy = (devices: Known["devices"], recipient: string): Known["devices"] =>
  recipient === "all" || recipient === "last_used" ? devices : devices.filter(({ token }) => token === recipient);

function checkDefinition(
  channel: PushedChannel,
  input: Input,
  found: TransactionalRow | undefined,
): TransactionalRow | undefined {
  if (input.transactional_message_id === undefined) {
    if (channel !== "push") return undefined;
    throw new Problem("content_missing", "A push needs a transactional: give transactional_message_id.", {
      errors: [{ pointer: "/transactional_message_id", message: "is required for a push" }],
    });
  }
  if (!found) {
    throw new Problem("transactional_not_found", "No transactional of this workspace has this id or trigger name.", {
      errors: [{ pointer: "/transactional_message_id", message: "names no transactional" }],
    });
  }
  if (found.channel !== channel) {
    throw new Problem(
      "channel_mismatch",
      `This transactional belongs to the channel ${found.channel}: call /data-gateway/transactionals/${found.channel}.`,
      { extra: { channel: found.channel } },
    );
  }
  return found;
}

/** A person not known yet, as the row will be. */
function blank(fresh: Whom["newPerson"]): Person {
  const { workspaceId, personId, email = null, phone = null } = fresh;
  const key = personKey(workspaceId, personId);
  const now = new Date(0);
  return {
    person_key: key,
    workspace_id: workspaceId,
    person_id: personId,
    email,
    phone,
    timezone: null,
    locale: null,
    subscribed: true,
    preferences: {},
    attributes: {},
    created_at: now,
    updated_at: now,
  };
}

/** What a call is answered, of its message as it was queued. */
export const answerOf = (message: Message, personId: string): Answer => ({
  status: 202,
  body: {
    delivery_id: encodeId("dlv", message.deliveryId),
    person_id: personId,
    status: message.status,
    ...(message.reason !== undefined && { reason: message.reason }),
    queued_at: message.queuedAt.toISOString(),
  },
});
