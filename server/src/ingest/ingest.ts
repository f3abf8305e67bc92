import type { Tracked } from "@tidings/contract/facts/ingest";
import { record } from "../activity/index.ts";
import type { CatalogGround } from "../catalog/index.ts";
import { occurrenceOf, recordEvents } from "../events/index.ts";
import {
  countNewPeople,
  createUnlessErased,
  type Identity,
  identifyPeople,
  type NamedPerson,
  newPeopleLimit,
  personKey,
  refusedNewPeople,
} from "../people/index.ts";
import { hadNoEffect, isRefusal, type Tx } from "../platform/db/index.ts";
import { Problem } from "../platform/http/index.ts";
import { encodeId, newId } from "../platform/ids.ts";
import { gather } from "../platform/work/gather.ts";
import { screenCatalog } from "../screens/index.ts";
import type { Caller } from "../workspaces/index.ts";
import type { Fact } from "./read.ts";

/** The result of one fact, for the caller. */
export type Outcome = { created: boolean } | (Tracked & { leftOut?: "person_erased" });

/** A fact, and how many people its caller may create an hour; see newPeopleLimit. */
interface IncomingFact {
  fact: Fact;
  limit: number | undefined;
}

/**
 * Returns the function that stores many facts in one transaction: people, then events (and their people, if nobody identified them yet),
 * then screens. It returns the outcomes in order, after the commit; a Problem is the outcome of a fact that would create one person too many.
 */
function ingestion(ground: CatalogGround): (facts: IncomingFact[]) => Promise<Outcomes> {
  const report = screenCatalog();

  return async (facts) => {
    const now = ground.clock.now();
    const outcomes: Outcomes = new Array(facts.length);
    const identities = ofKind(facts, "identify");
    const events = ofKind(facts, "event");
    const screens = ofKind(facts, "screen");
    const [reported, made] = await ground.db.transaction(async (tx) => {
      const refused = await refusedNewPeople(tx, ground.newPeople, [...identities, ...events].map(personOf));
      const identified = admitted(identities, refused, outcomes);
      const happened = admitted(events, refused, outcomes);
      const made = [
        ...(identified.length > 0 ? await identify(tx, identified, outcomes, now) : []),
        ...(happened.length > 0 ? await recordAll(tx, happened, { outcomes, now, last: screens.length === 0 }) : []),
      ];
      const seen = screens.map(({ fact }) => fact);
      return [await report(tx, seen, now), made] as const;
    });
    reported.committed();
    noteNames(ground, [...identities, ...events], { outcomes, now });
    for (const { workspaceId, limit } of made)
      if (limit !== undefined) countNewPeople(ground.newPeople, workspaceId, 1);
    screens.forEach(({ at }, i) => {
      outcomes[at] = { recorded: false, screen: reported.results[i] as NonNullable<Tracked["screen"]> };
    });
    return outcomes;
  };
}

/** The two ways to store facts. */
export interface Intake {
  /** Stores one fact. Facts that arrive at the same moment are gathered into one transaction. @throws Problem rate_limited */
  store(fact: Fact, caller: Caller): Promise<Outcome>;
  /**
   * Stores facts in one transaction. If the database refuses one of them, each is stored alone, in order. The outcome is undefined for a
   * refused fact, and a Problem for a fact that would create one person too many.
   */
  storeEach(facts: Fact[], caller: Caller): Promise<(Outcome | Problem | undefined)[]>;
}

/** Creates the two ways to store facts. */
export function createIntake(ground: CatalogGround): Intake {
  const ingest = ingestion(ground);
  const gathered = gather<IncomingFact, Outcome>(ingest, { retryAlone: hadNoEffect });
  /** A run of a campaign that an event begins is traced as a part of the call that reported it. */
  const carry = (fact: Fact) => {
    if (!ground.traces.on || fact.kind !== "event") return;
    ground.traces.carry(occurrenceOf(fact.event.personKey, fact.event.name), ground.traces.current());
  };
  return {
    store(fact, caller) {
      carry(fact);
      return gathered({ fact, limit: newPeopleLimit(caller).limit });
    },
    async storeEach(facts, caller) {
      if (facts.length === 0) return [];
      facts.forEach(carry);
      const { limit } = newPeopleLimit(caller);
      const incoming = facts.map((fact) => ({ fact, limit }));
      try {
        return await ingest(incoming);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const outcomes: (Outcome | Problem | undefined)[] = [];
        for (const one of incoming) {
          const alone = await ingest([one]).catch((refused) => {
            if (!isRefusal(refused)) throw refused;
            return undefined;
          });
          outcomes.push(alone?.[0]);
        }
        return outcomes;
      }
    },
  };
}

/** A fact of one kind, with the index of its outcome. */
interface FactAt<K extends Fact["kind"]> extends IncomingFact {
  at: number;
  fact: Extract<Fact, { kind: K }>;
}
type FactOfPerson = FactAt<"identify"> | FactAt<"event">;
type Outcomes = (Outcome | Problem)[];

function ofKind<K extends Fact["kind"]>(facts: IncomingFact[], kind: K): FactAt<K>[] {
  const found: FactAt<K>[] = [];
  facts.forEach(({ fact, limit }, at) => {
    if (fact.kind === kind) found.push({ at, fact: fact as Extract<Fact, { kind: K }>, limit });
  });
  return found;
}

function personOf({ fact, limit }: FactOfPerson): NamedPerson {
  const { workspaceId, personId } = fact.kind === "identify" ? fact.identity : fact.event;
  return { workspaceId, personId, personKey: keyOf(fact), limit };
}

const keyOf = (fact: FactOfPerson["fact"]): string =>
  fact.kind === "identify" ? personKey(fact.identity.workspaceId, fact.identity.personId) : fact.event.personKey;

/** Returns the facts that are not refused, and sets the outcome of the others. A secret key's facts about the same people are never refused. */
function admitted<F extends FactOfPerson>(facts: F[], refused: Map<string, Problem>, outcomes: Outcomes): F[] {
  if (refused.size === 0) return facts;
  return facts.filter((one) => {
    const problem = one.limit === undefined ? undefined : refused.get(keyOf(one.fact));
    if (problem) outcomes[one.at] = problem;
    return !problem;
  });
}

/** Notes the names of what was stored for the catalog. */
function noteNames(
  { catalog }: CatalogGround,
  facts: FactOfPerson[],
  { outcomes, now }: { outcomes: Outcomes; now: Date },
): void {
  for (const { at, fact } of facts) {
    const outcome = outcomes[at];
    if (outcome === undefined || outcome instanceof Problem) continue;
    if (fact.kind === "identify") {
      catalog.identified(fact.identity.workspaceId, fact.identity.change, now);
    } else if ("recorded" in outcome && outcome.recorded) {
      const { workspaceId, name, properties } = fact.event;
      catalog.event(workspaceId, name, properties, now);
    }
  }
}

/** Creates or changes people. Returns the people whom it created. */
async function identify(
  tx: Tx,
  identities: FactAt<"identify">[],
  outcomes: Outcomes,
  now: Date,
): Promise<NamedPerson[]> {
  const created = await identifyPeople(
    tx,
    identities.map(({ fact }) => fact.identity),
    now,
  );
  identities.forEach(({ at }, i) => {
    outcomes[at] = { created: created[i] as boolean };
  });
  await record(
    tx,
    identities.map(({ fact: { identity } }, i) => ({
      workspaceId: identity.workspaceId,
      personKey: personKey(identity.workspaceId, identity.personId),
      type: "person.identified",
      at: now,
      data: { created: created[i], attributes: namesOf(identity.change) },
    })),
  );
  return identities.filter((_, i) => created[i]).map(personOf);
}

/** Records events. Returns the people whom it created, each once. `last` says that no statement follows. */
async function recordAll(
  tx: Tx,
  events: FactAt<"event">[],
  { outcomes, now, last }: { outcomes: Outcomes; now: Date; last: boolean },
): Promise<NamedPerson[]> {
  const { erased, made } = await createUnlessErased(tx, events.map(personOf), now);
  const kept = erased.size === 0 ? events : events.filter((one) => !erased.has(keyOf(one.fact)));
  const recorded = await recordEvents(
    tx,
    kept.map(({ fact }) => fact.event),
    now,
    { last },
  );
  kept.forEach(({ at }, i) => {
    const { eventId, recorded: isNew } = recorded[i] as { eventId: string; recorded: boolean };
    outcomes[at] = { event_id: eventId, recorded: isNew };
  });
  // This is no error: otherwise a phone would send the events that it kept while offline again and again.
  for (const { at, fact } of events)
    outcomes[at] ??= {
      event_id: fact.event.eventId ?? encodeId("evt", newId()),
      recorded: false,
      leftOut: "person_erased",
    };
  return made.size === 0 ? [] : events.filter((one) => made.delete(keyOf(one.fact))).map(personOf);
}

/** Returns the names of the attributes that a change touches. The log has the names, never the values. */
function namesOf(change: Identity["change"]): string[] {
  const { set, removed, email_verified: _, phone_verified: __, times: ___, ...known } = change;
  return [...Object.keys(known), ...Object.keys(set), ...removed];
}
