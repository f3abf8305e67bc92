import type { Channel } from "@tidings/contract/facts/activity";
import { findPeopleByKeys } from "../../people/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { mayReceive, type Unsubscribed } from "./receive.ts";
import { topicsBy } from "./store.ts";

/** A queued message that respects subscriptions. */
export interface Waited {
  workspaceId: string;
  personKey: string;
  channel: Channel;
  topicId: string | null;
}

/** Returns for each message, in order, why its person no longer receives it. It runs two statements for any number of messages. */
export async function unsubscribedSince(q: Queries, waited: Waited[]): Promise<(Unsubscribed | undefined)[]> {
  if (waited.length === 0) return [];
  const belonging = waited.flatMap(({ workspaceId, topicId }) =>
    topicId === null ? [] : [{ workspaceId, id: topicId }],
  );
  const [people, topics] = await Promise.all([
    findPeopleByKeys(
      q,
      waited.map(({ personKey }) => personKey),
    ),
    belonging.length === 0 ? [] : topicsBy(q, belonging),
  ]);
  return waited.map(({ personKey, channel, topicId }) => {
    const person = people.get(personKey);
    const topic = topics.find(({ id }) => id === topicId);
    // A missing person was erased, and erasing cancels the waiting messages.
    if (!person) return undefined;
    const of = topic && { id: encodeId("top", topic.id), default: topic.default_state };
    return mayReceive(person, { channel, topic: of, preference: "subscribed" });
  });
}
