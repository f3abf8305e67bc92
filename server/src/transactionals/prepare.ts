import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { type Composed, type Message, NO_REACH, type OutboundGround, type Senders } from "../outbound/index.ts";
import { ambiguous, type Lookup, type Person, personKey, type Shared } from "../people/index.ts";
import { badField, Problem } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { mailbox } from "../platform/mailbox.ts";
import type { Answer, Keyed } from "../platform/resources/idempotency.ts";
import { mayReceive, messageLinks, type Topic } from "../subscriptions/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import { dueAt, type NamedPerson, namedPerson } from "./channels/call.ts";
import type { CallFacts, Input, Inputs, ParseChannel, ParsedMessage } from "./channels/channel.ts";
import { parseEmail } from "./channels/email.ts";
import { parsePush } from "./channels/push.ts";
import { parseSms } from "./channels/sms.ts";
import { type Mark, markedId } from "./repeats.ts";
import type { TransactionalRow } from "./store.ts";

/** A trigger call with its validated body. */
export interface TriggerCall<C extends PushedChannel = PushedChannel> {
  channel: C;
  workspace: Workspace;
  input: Inputs[C];
  keyed: Keyed | undefined;
  /** Finds repeats of a call without an Idempotency-Key. */
  mark?: Mark | undefined;
}

/** The data that a call contains itself. */
export interface ParsedCall {
  now: Date;
  named: NamedPerson;
  dueAt: Date | undefined;
  /** The addresses that the call names: nearly always all to which the message will go. */
  addresses: string[];
  compose(facts: CallFacts): Promise<Composed>;
}

/** The records in the database that a call needs. */
export interface CallRecords {
  definition: TransactionalRow | undefined;
  person: Person | undefined;
  /** The people who share the address that the call names: nobody knows which of them is meant. */
  shared: Shared | undefined;
  /** Push: the person's devices. */
  devices: Parameters<Senders["reaches"]>[1];
  /** The topic of the definition. */
  topic: Topic | undefined;
  /** For each address that the call names, the reason why it is on the suppression list, if it is. */
  suppressions: ReadonlyMap<string, string | undefined>;
}

/** A call that is checked and rendered, and can be written. */
export interface Prepared {
  message: Message;
  /** Undefined if the person exists. */
  newPerson: NamedPerson["newPerson"] | undefined;
  keyed: Keyed | undefined;
  personId: string;
  answer: Answer;
}

const channels: { [C in PushedChannel]: ParseChannel<C> } = { email: parseEmail, push: parsePush, sms: parseSms };

/** Parses and checks a call as far as no database is needed. @throws Problem invalid_request, recipient_invalid */
export async function parseCall({ channel, workspace, input }: TriggerCall, now: Date): Promise<ParsedCall> {
  const parse = channels[channel] as (workspace: Workspace, input: Input) => ParsedMessage | Promise<ParsedMessage>;
  const named = namedPerson(workspace, input.identifiers);
  const due = dueAt(input.send_at, now);
  const { to = identifyingAddress(channel, named.lookup), copies = [], compose } = await parse(workspace, input);
  const addresses = [...(to === undefined ? [] : [to]), ...copies.flatMap((copy) => mailbox(copy)?.address ?? [])];
  return { now, named, dueAt: due, addresses, compose };
}

/** Returns the address by which the call names its person. The message goes there unless the call names another. */
function identifyingAddress(channel: PushedChannel, lookup: Lookup): string | undefined {
  if (channel === "email") return "email" in lookup ? mailbox(lookup.email)?.address : undefined;
  return channel === "sms" && "phone" in lookup ? lookup.phone : undefined;
}

/**
 * Decides the recipient, the content and the time, and renders. Every error of a call is found here, before the answer.
 * @throws Problem ambiguous_recipient, transactional_not_found, channel_mismatch, content_missing, recipient_missing, recipient_invalid, and problems of rendering
 */
export async function prepare(
  ground: OutboundGround,
  call: TriggerCall,
  parsed: ParsedCall,
  records: CallRecords,
): Promise<Prepared> {
  const { channel, workspace, input, keyed } = call;
  const { senders } = ground;
  if (records.shared) throw ambiguous(records.shared);
  const definition = checkDefinition(channel, input, records.definition);
  const person = records.person ?? newPersonRow(parsed.named.newPerson);
  const requested = "subscription_preference" in input ? input.subscription_preference : undefined;
  const preference = definition?.subscription_preference ?? requested ?? "subscribed";
  if (requested !== undefined && requested !== preference)
    throw badField(
      "/subscription_preference",
      `is ${preference} in the transactional: leave it out, or change it there`,
    );
  const respects = preference === "subscribed";
  const topic = records.topic && { id: encodeId("top", records.topic.id), default: records.topic.default_state };
  const deliveryId = markedId(call.mark);
  const facts = {
    workspace,
    person,
    content: definition?.content,
    tokens: records.devices.map(({ token }) => token),
    senderNeeded: channel === "email" && (await senders.needsSender(workspace.id)),
    respects,
    tracking: { opens: definition?.track_opens ?? false, clicks: definition?.track_clicks ?? false },
    links: messageLinks(ground, {
      workspaceId: workspace.id,
      personKey: person.person_key,
      channel,
      topicId: records.topic?.id,
      deliveryId,
    }),
  };
  const { recipient, content } = await parsed.compose(facts);
  const unwanted = mayReceive(person, { channel, topic, preference });
  const unreached =
    channel === "push" && !(await senders.reaches(workspace.id, targetDevices(records.devices, recipient)));
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
    queuedAt: parsed.now,
    ...(parsed.dueAt && { dueAt: parsed.dueAt }),
    ...(input.expires_in !== undefined && { expiresInMs: input.expires_in * 1_000 }),
    retainContent: !(input.disable_message_retention ?? false),
    atMostOnce: definition?.at_most_once ?? false,
    topicId: records.topic?.id ?? null,
    respects,
  };
  const newPerson = records.person ? undefined : parsed.named.newPerson;
  return { message, newPerson, keyed, personId: person.person_id, answer: answerOf(message, person.person_id) };
}

/** Returns the devices to which a push may go. Which one is the last used is only known when it is sent. */
const targetDevices = (devices: CallRecords["devices"], recipient: string): CallRecords["devices"] =>
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

/** Returns the row of a person who does not exist yet. */
function newPersonRow(named: NamedPerson["newPerson"]): Person {
  const { workspaceId, personId, email = null, phone = null } = named;
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

/** Returns the answer to a call, from its queued message. */
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
