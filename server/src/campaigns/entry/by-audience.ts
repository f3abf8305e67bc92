import { LIST_CHANGED } from "../../audiences/index.ts";
import { EVENTS_RECORDED } from "../../events/index.ts";
import { PEOPLE_CHANGED, type PersonChanged } from "../../people/index.ts";
import { type Heard, listen, type Tx } from "../../platform/db/index.ts";
import type { EntranceIndex, Entrances } from "../definition/entrances.ts";
import { askToCheck } from "../audience/members-store.ts";
import { AUDIENCE_WORK } from "../audience/watch.ts";

interface Whose {
  workspaceId: string;
  personKey: string;
}

/**
 * Queues a check of each changed person, in the transaction that changes them. Right after the commit the check evaluates the audiences of
 * campaigns, and the waits for a date of the person: a change waits for no filter, and for no run. Opens, clicks and other feedback change
 * audiences too; the sweep finds those changes, because a listener in their transactions would slow down every report of an impression.
 */
export function hearsPeople(index: EntranceIndex): Heard[] {
  const watching = (workspaceId: string, may: (entrances: Entrances) => boolean): boolean => {
    const known = index.cached(workspaceId);
    return known === undefined || may(known);
  };
  const check = async <T extends Whose>(tx: Tx, batch: T[], may: (one: T, entrances: Entrances) => boolean) => {
    const entrances = await index.load(
      tx,
      batch.map(({ workspaceId }) => workspaceId),
    );
    const people = new Map<string, Whose>();
    for (const one of batch) {
      const theirs = entrances.get(one.workspaceId);
      if (theirs && may(one, theirs)) people.set(one.personKey, one);
    }
    if (people.size === 0) return;
    await askToCheck(tx, [...people.values()]);
    tx.signal(AUDIENCE_WORK, ["people"]);
  };
  return [
    listen(PEOPLE_CHANGED, {
      hears: "in the transaction",
      cares: (one) => one.what !== "erased" && watching(one.workspaceId, (entrances) => isWatched(one, entrances)),
      take: (tx, people) => check(tx, people, isWatched),
    }),
    listen(EVENTS_RECORDED, {
      hears: "in the transaction",
      cares: ({ workspaceId, name }) => watching(workspaceId, (entrances) => isTouched(entrances, name)),
      take: (tx, events) => check(tx, events, ({ name }, entrances) => isTouched(entrances, name)),
    }),
    listen(LIST_CHANGED, {
      hears: "in the transaction",
      cares: ({ workspaceId }) => watching(workspaceId, someNamed),
      take: (tx, people) => check(tx, people, (_, entrances) => someNamed(entrances)),
    }),
  ];
}

/** Whether a person may have entered an audience, or may have runs that wait by what the person is. */
const isWatched = ({ what }: Pick<PersonChanged, "what">, { byAudience, waitByPerson }: Entrances): boolean =>
  byAudience.length > 0 || (what !== "created" && waitByPerson.size > 0);

/** Whether a campaign's audience names another audience, which may be a list. */
const someNamed = ({ byAudience }: Entrances): boolean => byAudience.some(({ touches }) => touches.all);

/** Returns whether an event of this name may change the members of a campaign's audience. */
const isTouched = ({ byAudience }: Entrances, name: string): boolean =>
  byAudience.some(({ touches: { all, events } }) => all || events.has(name));
