import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { type OutboundGround, queue } from "../outbound/index.ts";
import {
  createMissing,
  findNamed,
  isShared,
  type Lookup,
  type Person,
  type Shared,
  tokensOf,
} from "../people/index.ts";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import { type Answer, claim, keep } from "../platform/resources/idempotency.ts";
import { suppressed, type Topic, topicsBy } from "../subscriptions/index.ts";
import type { CallRecords, Prepared } from "./prepare.ts";
import { definitions, type Ref, type TransactionalRow } from "./store.ts";
import { withTemplates } from "./templated.ts";

// Trigger calls that arrive at the same moment share one read and one transaction.

/** The records that one call needs. */
export interface ReadRequest {
  ref: Ref | undefined;
  lookup: Lookup;
  /** Push: whether to read the person's devices. */
  devices: boolean;
  channel: PushedChannel;
  /** Addresses of this channel, to be checked on the suppression list. */
  addresses: string[];
}

/**
 * Reads the current definitions, people and suppressions for many calls, in three statements. One more each is needed if a person
 * is not found by address, and for devices, templates and topics.
 */
export async function readAll(ground: Ground, requests: ReadRequest[]): Promise<CallRecords[]> {
  const refs = requests.flatMap(({ ref }) => (ref ? [ref] : []));
  const [definitionRows, named, suppressions] = await Promise.all([
    refs.length === 0 ? [] : definitions(ground.db, refs).then((rows) => withTemplates(ground.db, rows)),
    findNamed(
      ground.db,
      requests.map(({ lookup }) => lookup),
    ),
    suppressionsOf(ground, requests),
  ]);
  // Nobody has this address, but it may be somebody's person_id, which a new person would get.
  const second = requests.flatMap(({ lookup }, i) => (named[i] || "id" in lookup ? [] : [{ i, lookup: asId(lookup) }]));
  if (second.length > 0) {
    const byId = await findNamed(
      ground.db,
      second.map(({ lookup }) => lookup),
    );
    second.forEach(({ i }, at) => {
      named[i] = byId[at];
    });
  }
  const people = named.map((one) => (isShared(one) ? undefined : one));
  const [devices, topics] = await Promise.all([
    devicesFor(ground, requests, people),
    topicsFor(ground, definitionRows),
  ]);
  let at = 0;
  return requests.map(({ ref }, i) => {
    const definition = ref ? definitionRows[at++] : undefined;
    return {
      definition,
      person: people[i],
      shared: sharedOf(named[i]),
      devices: devices.get(people[i]?.person_key ?? "") ?? [],
      topic: definition?.topic_id ? topics.get(definition.topic_id) : undefined,
      suppressions: suppressions[i] as CallRecords["suppressions"],
    };
  });
}

const sharedOf = (found: Person | Shared | undefined): Shared | undefined => (isShared(found) ? found : undefined);

/** Returns for each call its addresses, with the reason why each is on the suppression list. */
async function suppressionsOf(ground: Ground, requests: ReadRequest[]): Promise<CallRecords["suppressions"][]> {
  const targets = requests.flatMap(({ channel, addresses, lookup: { workspaceId } }) =>
    channel === "push" ? [] : addresses.map((address) => ({ workspaceId, channel, address })),
  );
  const rows = await suppressed(ground.db, targets);
  let at = 0;
  return requests.map(({ addresses }) => new Map(addresses.map((address) => [address, rows[at++]?.reason])));
}

async function topicsFor(ground: Ground, rows: (TransactionalRow | undefined)[]): Promise<Map<string, Topic>> {
  const topics = rows.flatMap((row) => (row?.topic_id ? [{ workspaceId: row.workspace_id, id: row.topic_id }] : []));
  if (topics.length === 0) return new Map();
  return new Map((await topicsBy(ground.db, topics)).map((topic) => [topic.id, topic]));
}

async function devicesFor(
  ground: Ground,
  requests: ReadRequest[],
  people: (Person | undefined)[],
): Promise<Map<string, CallRecords["devices"]>> {
  const keys = requests.flatMap(({ devices }, i) => (devices && people[i] ? [people[i].person_key] : []));
  const byPerson = new Map<string, CallRecords["devices"]>();
  if (keys.length === 0) return byPerson;
  for (const { person_key, ...device } of await tokensOf(ground.db, [...new Set(keys)])) {
    byPerson.set(person_key, [...(byPerson.get(person_key) ?? []), device]);
  }
  return byPerson;
}

/** The lookup of a person whose person_id is the address of this lookup. */
const asId = (lookup: Lookup): Lookup => ({
  workspaceId: lookup.workspaceId,
  id: "email" in lookup ? lookup.email : "phone" in lookup ? lookup.phone : lookup.id,
});

/** The answer of a call. `replayed` tells that it is the answer of an earlier call, which this one repeats. */
export interface CallResult {
  answer: Answer;
  replayed: boolean;
}

/** Writes the people, deliveries, activity and idempotency keys of many calls in one transaction. */
export function writeAll(ground: OutboundGround, list: Prepared[]): Promise<(CallResult | Problem)[]> {
  return ground.db.transaction(async (tx) => {
    const before = new Map<Prepared, Answer | Problem>();
    // Keys are claimed in one order, so that two processes with the same keys never deadlock.
    const keyed = list.flatMap((call) => (call.keyed ? [{ call, key: call.keyed }] : []));
    if (keyed.length > 0) {
      keyed.sort((a, b) => (a.key.key < b.key.key ? -1 : 1));
      const claims = await claim(
        tx,
        keyed.map(({ key }) => key),
        ground.clock.now(),
      );
      keyed.forEach(({ call }, i) => {
        const earlierAnswer = claims[i];
        if (earlierAnswer) before.set(call, earlierAnswer);
      });
    }
    const ours = list.filter((call) => !before.has(call));
    await createPeople(tx, ground, ours);
    const written = Promise.all([
      queueMessages(tx, ground, ours),
      keep(
        tx,
        ours.flatMap((call) => (call.keyed ? [{ keyed: call.keyed, answer: call.answer }] : [])),
      ),
    ]);
    tx.commitBehind();
    await written;
    return list.map((call) => {
      const first = before.get(call);
      if (first instanceof Problem) return first;
      return first ? { answer: first, replayed: true } : { answer: call.answer, replayed: false };
    });
  });
}

/** Creates the people who are new. */
export async function createPeople(tx: Tx, ground: Ground, calls: Prepared[]): Promise<void> {
  const missing = calls.flatMap((call) => (call.newPerson ? [call.newPerson] : []));
  if (missing.length > 0) await createMissing(tx, missing, ground.clock.now());
}

/** Queues the deliveries. It sends its statements before it returns, so that the commit may be sent right after them. */
export async function queueMessages(tx: Tx, ground: OutboundGround, calls: Prepared[]): Promise<void> {
  const messages = calls.map((call) => call.message);
  await queue(tx, ground, messages, { suppressionsChecked: true });
}
