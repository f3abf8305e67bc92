import type { SubscriptionsPatch } from "@tidings/contract/audience/subscriptions";
import type { Channel } from "@tidings/contract/facts/activity";
import { type Entry, record } from "../../activity/index.ts";
import { type Choice, choose, findPeople, type Person, personKey } from "../../people/index.ts";
import type { Queries, Tx } from "../../platform/db/index.ts";
import { badField, Problem } from "../../platform/http/index.ts";
import { decodeId, encodeId } from "../../platform/ids.ts";
import { suppressed, type Target } from "../suppression/suppression.ts";
import { channelState, topicState } from "./receive.ts";
import { type TopicRow, topicsOf } from "./store.ts";

const CHANNELS: Channel[] = ["email", "push", "sms", "in_app"];

/** A person's states as the API shows them: the person's choices, and the defaults for the rest. @throws Problem person_not_found */
export async function statesOf(q: Queries, workspaceId: string, personId: string) {
  const [[person], topics] = await Promise.all([
    findPeople(q, [{ workspaceId, id: personId }]),
    topicsOf(q, workspaceId),
  ]);
  if (!person) throw unknownPerson();
  return statesShape(q, person, topics);
}

/**
 * Writes a person's states; states that the patch does not name stay. @throws Problem person_not_found, invalid_request for a topic that the
 * workspace does not have
 */
export async function changeStates(
  tx: Tx,
  workspaceId: string,
  { personId, patch, now }: { personId: string; patch: SubscriptionsPatch; now: Date },
) {
  const topics = await topicsOf(tx, workspaceId);
  const preferences: Record<string, boolean> = { ...patch.channels };
  for (const [id, state] of Object.entries(patch.topics ?? {})) {
    const topic = topics.find((row) => row.id === decodeId("top", id));
    if (!topic) throw badField(`/topics/${id}`, "is no topic of this workspace");
    preferences[encodeId("top", topic.id)] = state;
  }
  const choice = { subscribed: patch.subscribed, preferences };
  const whose = { workspaceId, personKey: personKey(workspaceId, personId) };
  const taken = await takeChoice(tx, whose, { choice, source: "api", now });
  if (!taken) throw unknownPerson();
  return statesShape(tx, taken.person, topics);
}

/**
 * Writes a person's choice and logs what it changed as `person.subscribed` and `person.unsubscribed`. Returns the person after the
 * change and whether anything changed; undefined where the person does not exist (any more).
 * @param input `source` is `api`, `preference_page`, `one_click` or the provider
 */
export async function takeChoice(
  tx: Tx,
  whose: { workspaceId: string; personKey: string },
  { choice, source, now }: { choice: Choice; source: string; now: Date },
): Promise<{ person: Person; changed: boolean } | undefined> {
  const taken = await choose(tx, whose.personKey, choice, now);
  if (!taken) return undefined;
  const { subscribed, preferences = {} } = taken.changed;
  const entry = (state: boolean, what: Record<string, string>): Entry => ({
    workspaceId: whose.workspaceId,
    personKey: whose.personKey,
    type: state ? "person.subscribed" : "person.unsubscribed",
    at: now,
    data: { ...what, source },
  });
  const log = [
    ...(subscribed === undefined ? [] : [entry(subscribed, {})]),
    ...Object.entries(preferences).map(([key, state]) =>
      entry(state, key.startsWith("top_") ? { topic_id: key } : { channel: key }),
    ),
  ];
  await record(tx, log);
  return { person: taken.person, changed: log.length > 0 };
}

const unknownPerson = (): Problem =>
  new Problem("person_not_found", "The workspace knows no person with this person_id. Identify the person first.");

async function statesShape(q: Queries, person: Person, topics: TopicRow[]) {
  const targets = targetsOf(person);
  const found = await suppressed(q, targets);
  return {
    person_id: person.person_id,
    subscribed: person.subscribed,
    channels: Object.fromEntries(CHANNELS.map((channel) => [channel, channelState(person, channel)])) as Record<
      Channel,
      boolean
    >,
    topics: Object.fromEntries(
      topics.map(({ id: uuid, default_state }) => {
        const id = encodeId("top", uuid);
        return [id, topicState(person, { id, default: default_state })];
      }),
    ),
    suppressed: found.flatMap((row) => (row ? [{ channel: row.channel, reason: row.reason }] : [])),
  };
}

const targetsOf = ({ workspace_id: workspaceId, email, phone }: Person): Target[] => [
  ...(email === null ? [] : [{ workspaceId, channel: "email" as const, address: email }]),
  ...(phone === null ? [] : [{ workspaceId, channel: "sms" as const, address: phone }]),
];
