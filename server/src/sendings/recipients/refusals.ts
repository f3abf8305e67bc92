import { type Person, tokensOf } from "../../people/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { mayReceive, suppressed, topicsBy } from "../../subscriptions/index.ts";
import type { Edition } from "../content/editions.ts";
import type { Sending } from "../sending.ts";

/** A person and what is meant for them. */
export interface Asked {
  person: Person;
  edition: Edition;
}

/** What a sending asks of people's states. */
export async function askOf(q: Queries, { workspaceId, topicId: id, channel, preference }: Sending) {
  const [topic] = id === null ? [] : await topicsBy(q, [{ workspaceId, id }]);
  return { channel, preference, topic: topic && { id: encodeId("top", topic.id), default: topic.default_state } };
}

/** For each person the reason why they would get nothing; undefined for those who would. By the states and addresses of now. */
export async function refusals(q: Queries, sending: Sending, asked: Asked[]): Promise<(string | undefined)[]> {
  const tokens = new Map<string, number>();
  const ask = await askOf(q, sending);
  if (sending.channel === "push" && asked.length > 0) {
    const keys = asked.map(({ person }) => person.person_key);
    for (const { person_key } of await tokensOf(q, keys)) tokens.set(person_key, (tokens.get(person_key) ?? 0) + 1);
  }
  return asked.map((one) => {
    const reason = mayReceive(one.person, ask);
    if (reason !== undefined) return reason;
    return isReachable(sending, one, tokens.get(one.person.person_key) ?? 0) ? undefined : "no_address";
  });
}

/** Whether a person has an address of the channel at all, for this content. @param tokens of the person's devices */
function isReachable({ channel }: Sending, { person, edition }: Asked, tokens: number): boolean {
  if (channel === "email") return person.email !== null;
  if (channel === "push") return tokens > 0;
  return channel === "in_app" || person.phone !== null || edition.said.content?.to !== undefined;
}

/** For each person whether their address is on the suppression list. Queueing asks the list by itself. */
export async function listed(q: Queries, { workspaceId, channel }: Sending, people: Person[]): Promise<boolean[]> {
  if (channel !== "email" && channel !== "sms") return people.map(() => false);
  const addresses = people.map((person) => (channel === "email" ? person.email : person.phone) ?? "");
  const found = await suppressed(
    q,
    addresses.map((address) => ({ workspaceId, channel, address })),
  );
  return found.map((row) => row !== undefined);
}
