import { type Person, tokensOf } from "../../people/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { mayReceive, suppressed, topicsBy } from "../../subscriptions/index.ts";
import type { Edition } from "../content/editions.ts";
import type { Sending } from "../sending.ts";

/** A person with the edition that was chosen for them. */
export interface PersonWithEdition {
  person: Person;
  edition: Edition;
}

/** Returns what `mayReceive` needs to know of a sending. */
export async function subscriptionAsk(q: Queries, { workspaceId, topicId: id, channel, preference }: Sending) {
  const [topic] = id === null ? [] : await topicsBy(q, [{ workspaceId, id }]);
  return { channel, preference, topic: topic && { id: encodeId("top", topic.id), default: topic.default_state } };
}

/**
 * Returns for each person the reason why they would get nothing, or undefined. It reads the current states and addresses.
 * @param hasDevices the people have devices for push, though the database knows none: they are made up
 */
export async function refusals(
  q: Queries,
  sending: Sending,
  people: PersonWithEdition[],
  hasDevices = false,
): Promise<(string | undefined)[]> {
  const tokens = new Map<string, number>();
  const ask = await subscriptionAsk(q, sending);
  if (sending.channel === "push" && people.length > 0 && !hasDevices) {
    const keys = people.map(({ person }) => person.person_key);
    for (const { person_key } of await tokensOf(q, keys)) tokens.set(person_key, (tokens.get(person_key) ?? 0) + 1);
  }
  return people.map((one) => {
    const reason = mayReceive(one.person, ask);
    if (reason !== undefined) return reason;
    return isReachable(sending, one, hasDevices ? 1 : (tokens.get(one.person.person_key) ?? 0))
      ? undefined
      : "no_address";
  });
}

/** Whether a person has an address of the channel, or the content names one. @param tokens how many devices the person has */
export function isReachable({ channel }: Sending, { person, edition }: PersonWithEdition, tokens: number): boolean {
  if (channel === "email") return person.email !== null;
  if (channel === "push") return tokens > 0;
  return channel === "in_app" || person.phone !== null || edition.content?.to !== undefined;
}

/** Returns for each person whether their address is on the suppression list. `queueTo` does not need it: it checks the list itself. */
export async function areSuppressed(
  q: Queries,
  { workspaceId, channel }: Sending,
  people: Person[],
): Promise<boolean[]> {
  if (channel !== "email" && channel !== "sms") return people.map(() => false);
  const addresses = people.map((person) => (channel === "email" ? person.email : person.phone) ?? "");
  const found = await suppressed(
    q,
    addresses.map((address) => ({ workspaceId, channel, address })),
  );
  return found.map((row) => row !== undefined);
}
