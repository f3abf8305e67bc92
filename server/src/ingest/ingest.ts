import type { Tracked } from "@tidings/contract/ingest";
import { record } from "../activity/index.ts";
import { recordEvents } from "../events/index.ts";
import { createUnlessErased, type Identity, identifyPeople, personKey } from "../people/index.ts";
import { isRefusal, type Tx } from "../platform/db/index.ts";
import { gather } from "../platform/gather.ts";
import type { Ground } from "../platform/ground.ts";
import { encodeId, newId } from "../platform/ids.ts";
import { screenCatalog } from "../screens/index.ts";
import type { Fact } from "./read.ts";

/** What the caller is told of each fact. */
export type Outcome = { created: boolean } | (Tracked & { leftOut?: "person_erased" });

/**
 * Takes facts, many at once and in one transaction: people, then events (whose people are made where nobody identified
 * them yet), then screens. Answers in order, after the commit.
 */
function ingestion(ground: Ground): (facts: Fact[]) => Promise<Outcome[]> {
  const report = screenCatalog();

  return async (facts) => {
    const now = ground.clock.now();
    const outcomes = new Array<Outcome>(facts.length);
    const identities = pick(facts, "identify");
    const events = pick(facts, "event");
    const screens = pick(facts, "screen");
    const reported = await ground.db.transaction(async (tx) => {
      if (identities.length > 0) await identify(tx, identities, outcomes, now);
      if (events.length > 0) {
        const erased = await createUnlessErased(
          tx,
          events.map(({ fact }) => ({ workspaceId: fact.event.workspaceId, personId: fact.event.personId })),
          now,
        );
        const of = ({ fact: { event } }: (typeof events)[number]) => personKey(event.workspaceId, event.personId);
        const kept = erased.size === 0 ? events : events.filter((one) => !erased.has(of(one)));
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
      }
      return report(
        tx,
        screens.map(({ fact }) => fact),
        now,
      );
    });
    reported.committed();
    screens.forEach(({ at }, i) => {
      outcomes[at] = { recorded: false, screen: reported.verdicts[i] as NonNullable<Tracked["screen"]> };
    });
    return outcomes;
  };
}

/** The two ways in for those who have facts in hand. */
export interface Intake {
  /** One fact. What comes at once is gathered into one transaction. */
  one(fact: Fact): Promise<Outcome>;
  /** Facts in one transaction. Where the database refuses one of them, alone and in order the others go through; undefined for those refused. */
  each(facts: Fact[]): Promise<(Outcome | undefined)[]>;
}

export function intake(ground: Ground): Intake {
  const ingest = ingestion(ground);
  return {
    one: gather<Fact, Outcome>(ingest, { retryAlone: isRefusal }),
    async each(facts) {
      if (facts.length === 0) return [];
      try {
        return await ingest(facts);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const outcomes: (Outcome | undefined)[] = [];
        for (const fact of facts) {
          const alone = await ingest([fact]).catch((refused) => {
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

type Picked<K extends Fact["kind"]> = { at: number; fact: Extract<Fact, { kind: K }> }[];

function pick<K extends Fact["kind"]>(facts: Fact[], kind: K): Picked<K> {
  const picked: Picked<K> = [];
  facts.forEach((fact, at) => {
    if (fact.kind === kind) picked.push({ at, fact: fact as Extract<Fact, { kind: K }> });
  });
  return picked;
}

async function identify(tx: Tx, identities: Picked<"identify">, outcomes: Outcome[], now: Date): Promise<void> {
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
      data: { created: created[i], attributes: named(identity.change) },
    })),
  );
}

/** The names of the attributes that a change touches: the log says what changed, never the values. */
function named(change: Identity["change"]): string[] {
  const { set, removed, email_verified: _, phone_verified: __, times: ___, ...known } = change;
  return [...Object.keys(known), ...Object.keys(set), ...removed];
}
