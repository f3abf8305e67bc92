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
import type { Known, Prepared } from "./prepare.ts";
import { definitions, type Ref, type TransactionalRow } from "./store.ts";
import { withTemplates } from "./templated.ts";

// What the calls of one moment do together: one read and one transaction for all of them.

/** What one call asks for. */
export interface Asked {
  ref: Ref | undefined;
  lookup: Lookup;
  /** Push: the tokens of the person's devices, too. */
  devices: boolean;
  /** Addresses of this channel that the suppression list is asked about. */
  channel: PushedChannel;
  addresses: string[];
}

/** Definitions, people and the suppression list as they are now: three statements, and one more where a person is not known by address, for devices, templates and topics. */
export async function readAll(ground: Ground, asked: Asked[]): Promise<Known[]> {
  const refs = asked.flatMap(({ ref }) => (ref ? [ref] : []));
  const [found, named, listed] = await Promise.all([
    refs.length === 0 ? [] : definitions(ground.db, refs).then((rows) => withTemplates(ground.db, rows)),
    findNamed(
      ground.db,
      asked.map(({ lookup }) => lookup),
    ),
    listedOf(ground, asked),
  ]);
  // Nobody has this address, but somebody may have it as the person_id that a new person would get.
  const second = asked.flatMap(({ lookup }, i) => (named[i] || "id" in lookup ? [] : [{ i, lookup: asId(lookup) }]));
  if (second.length > 0) {
    const again = await findNamed(
      ground.db,
      second.map(({ lookup }) => lookup),
    );
    second.forEach(({ i }, at) => {
      named[i] = again[at];
    });
  }
  const people = named.map((one) => (isShared(one) ? undefined : one));
  const [tokens, topics] = await Promise.all([tokensFor(ground, asked, people), topicsFor(ground, found)]);
  let at = 0;
  return asked.map(({ ref }, i) => {
    const definition = ref ? found[at++] : undefined;
    return {
      definition,
      person: people[i],
      shared: sharedOf(named[i]),
      devices: tokens.get(people[i]?.person_key ?? "") ?? [],
      topic: definition?.topic_id ? topics.get(definition.topic_id) : undefined,
      listed: listed[i] as Known["listed"],
    };
  });
}

const sharedOf = (found: Person | Shared | undefined): Shared | undefined => (isShared(found) ? found : undefined);

/** For each call its addresses with the reasons for which they are on the suppression list. */
async function listedOf(ground: Ground, asked: Asked[]): Promise<Known["listed"][]> {
  const targets = asked.flatMap(({ channel, addresses, lookup: { workspaceId } }) =>
    channel === "push" ? [] : addresses.map((address) => ({ workspaceId, channel, address })),
  );
  const rows = await suppressed(ground.db, targets);
  let at = 0;
  return asked.map(({ addresses }) => new Map(addresses.map((address) => [address, rows[at++]?.reason])));
}

async function topicsFor(ground: Ground, found: (TransactionalRow | undefined)[]): Promise<Map<string, Topic>> {
  const asked = found.flatMap((row) => (row?.topic_id ? [{ workspaceId: row.workspace_id, id: row.topic_id }] : []));
  if (asked.length === 0) return new Map();
  return new Map((await topicsBy(ground.db, asked)).map((topic) => [topic.id, topic]));
}

async function tokensFor(
  ground: Ground,
  asked: Asked[],
  people: (Person | undefined)[],
): Promise<Map<string, Known["devices"]>> {
  const keys = asked.flatMap(({ devices }, i) => (devices && people[i] ? [people[i].person_key] : []));
  const tokens = new Map<string, Known["devices"]>();
  if (keys.length === 0) return tokens;
  for (const { person_key, ...device } of await tokensOf(ground.db, [...new Set(keys)])) {
    tokens.set(person_key, [...(tokens.get(person_key) ?? []), device]);
  }
  return tokens;
}

const asId = (lookup: Lookup): Lookup => ({
  workspaceId: lookup.workspaceId,
  id: "email" in lookup ? lookup.email : "phone" in lookup ? lookup.phone : lookup.id,
});

/** The answer of a call; `again` says that it is an earlier one, given again. */
export interface Written {
  answer: Answer;
  again: boolean;
}

/** People, deliveries, activity and keys, committed together. */
export function writeAll(ground: OutboundGround, list: Prepared[]): Promise<(Written | Problem)[]> {
  return ground.db.transaction(async (tx) => {
    const before = new Map<Prepared, Answer | Problem>();
    // In one order for all, so that two processes with the same keys wait for each other and never lock each other.
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
      return first ? { answer: first, again: true } : { answer: call.answer, again: false };
    });
  });
}

/** The people that are new. */
export async function createPeople(tx: Tx, ground: Ground, calls: Prepared[]): Promise<void> {
  const missing = calls.flatMap((call) => (call.newPerson ? [call.newPerson] : []));
  if (missing.length > 0) await createMissing(tx, missing, ground.clock.now());
}

/** Their deliveries. Its statements are under way when it returns, so that a commit may be sent behind them. */
export async function queueMessages(tx: Tx, ground: OutboundGround, calls: Prepared[]): Promise<void> {
  const messages = calls.map((call) => call.message);
  await queue(tx, ground, messages, { suppressionsChecked: true });
}
