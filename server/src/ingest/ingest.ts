import type { Tracked } from "@tidings/contract/facts/ingest";
import { record } from "../activity/index.ts";
import { recordEvents } from "../events/index.ts";
import {
  countMade,
  createUnlessErased,
  type Identity,
  identifyPeople,
  mostNew,
  type Named,
  personKey,
  turnedAway,
} from "../people/index.ts";
import { isRefusal, type Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import type { Problem } from "../platform/http/index.ts";
import { encodeId, newId } from "../platform/ids.ts";
import { gather } from "../platform/work/gather.ts";
import { screenCatalog } from "../screens/index.ts";
import type { Caller } from "../workspaces/index.ts";
import type { Fact } from "./read.ts";

/** What the caller is told of each fact. */
export type Outcome = { created: boolean } | (Tracked & { leftOut?: "person_erased" });

/** A fact, and how many people its caller may make an hour; see mostNew. */
interface Taken {
  fact: Fact;
  most: number | undefined;
}

/**
 * Takes facts, many at once and in one transaction: people, then events (whose people are made where nobody identified
 * them yet), then screens. Answers in order, after the commit; with a Problem to those who would make one person too many.
 */
function ingestion(ground: Ground): (facts: Taken[]) => Promise<Outcomes> {
  const report = screenCatalog();

  return async (facts) => {
    const now = ground.clock.now();
    const outcomes: Outcomes = new Array(facts.length);
    const identities = pick(facts, "identify");
    const events = pick(facts, "event");
    const screens = pick(facts, "screen");
    const [reported, made] = await ground.db.transaction(async (tx) => {
      const away = await turnedAway(tx, ground.newPeople, [...identities, ...events].map(named));
      const identified = admitted(identities, away, outcomes);
      const happened = admitted(events, away, outcomes);
      const made = [
        ...(identified.length > 0 ? await identify(tx, identified, outcomes, now) : []),
        ...(happened.length > 0 ? await recordAll(tx, happened, outcomes, now) : []),
      ];
      const seen = screens.map(({ fact }) => fact);
      return [await report(tx, seen, now), made] as const;
    });
    reported.committed();
    for (const { workspaceId, most } of made) if (most !== undefined) countMade(ground.newPeople, workspaceId, 1);
    screens.forEach(({ at }, i) => {
      outcomes[at] = { recorded: false, screen: reported.results[i] as NonNullable<Tracked["screen"]> };
    });
    return outcomes;
  };
}

/** The two ways in for those who have facts in hand. */
export interface Intake {
  /** One fact. What comes at once is gathered into one transaction. @throws Problem rate_limited */
  one(fact: Fact, caller: Caller): Promise<Outcome>;
  /**
   * Facts in one transaction. Where the database refuses one of them, alone and in order the others go through; undefined for
   * those refused, and a Problem for those who would make one person too many.
   */
  each(facts: Fact[], caller: Caller): Promise<(Outcome | Problem | undefined)[]>;
}

export function intake(ground: Ground): Intake {
  const ingest = ingestion(ground);
  const gathered = gather<Taken, Outcome>(ingest, { retryAlone: isRefusal });
  return {
    one: (fact, caller) => gathered({ fact, most: mostNew(caller) }),
    async each(facts, caller) {
      if (facts.length === 0) return [];
      const most = mostNew(caller);
      const taken = facts.map((fact) => ({ fact, most }));
      try {
        return await ingest(taken);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const outcomes: (Outcome | Problem | undefined)[] = [];
        for (const one of taken) {
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

interface Picked<K extends Fact["kind"]> extends Taken {
  at: number;
  fact: Extract<Fact, { kind: K }>;
}
type Personal = Picked<"identify"> | Picked<"event">;
type Outcomes = (Outcome | Problem)[];

function pick<K extends Fact["kind"]>(facts: Taken[], kind: K): Picked<K>[] {
  const picked: Picked<K>[] = [];
  facts.forEach(({ fact, most }, at) => {
    if (fact.kind === kind) picked.push({ at, fact: fact as Extract<Fact, { kind: K }>, most });
  });
  return picked;
}

function named({ fact, most }: Personal): Named {
  const { workspaceId, personId } = fact.kind === "identify" ? fact.identity : fact.event;
  return { workspaceId, personId, most };
}

const keyOf = (one: Personal): string => {
  const { workspaceId, personId } = named(one);
  return personKey(workspaceId, personId);
};

/** All but those who are turned away, which is their outcome. What a secret key says of the same people is taken. */
function admitted<P extends Personal>(picked: P[], away: Map<string, Problem>, outcomes: Outcomes): P[] {
  if (away.size === 0) return picked;
  return picked.filter((one) => {
    const problem = one.most === undefined ? undefined : away.get(keyOf(one));
    if (problem) outcomes[one.at] = problem;
    return !problem;
  });
}

/** Gives those who made their person. */
async function identify(tx: Tx, identities: Picked<"identify">[], outcomes: Outcomes, now: Date): Promise<Named[]> {
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
  return identities.filter((_, i) => created[i]).map(named);
}

/** Records events. Gives of those whose person this made the first. */
async function recordAll(tx: Tx, events: Picked<"event">[], outcomes: Outcomes, now: Date): Promise<Named[]> {
  const { erased, made } = await createUnlessErased(tx, events.map(named), now);
  const kept = erased.size === 0 ? events : events.filter((one) => !erased.has(keyOf(one)));
  const recorded = await recordEvents(
    tx,
    kept.map(({ fact }) => fact.event),
    now,
  );
  kept.forEach(({ at }, i) => {
    const { eventId, recorded: isNew } = recorded[i] as { eventId: string; recorded: boolean };
    outcomes[at] = { event_id: eventId, recorded: isNew };
  });
  // No error: what a phone kept while it was offline must not come again and again.
  for (const { at, fact } of events)
    outcomes[at] ??= {
      event_id: fact.event.eventId ?? encodeId("evt", newId()),
      recorded: false,
      leftOut: "person_erased",
    };
  return made.size === 0 ? [] : events.filter((one) => made.delete(keyOf(one))).map(named);
}

/** The names of the attributes that a change touches: the log says what changed, never the values. */
function namesOf(change: Identity["change"]): string[] {
  const { set, removed, email_verified: _, phone_verified: __, times: ___, ...known } = change;
  return [...Object.keys(known), ...Object.keys(set), ...removed];
}
