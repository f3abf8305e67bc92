import type { Preflight } from "@tidings/contract/messages/sendings";
import type { Person, Sharer } from "../people/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { chooser } from "./content/editions.ts";
import { askHeld, windowOf } from "./limits/limits.ts";
import type { QueueContext } from "./recipients/queue.ts";
import { areSuppressed, type PersonWithEdition, refusals } from "./recipients/refusals.ts";
import { comesFirst, sharersAmong } from "./recipients/same-address.ts";
import { heldReason, isMoved } from "./rules/limits.ts";
import type { Sending } from "./sending.ts";

const SAMPLES = 5;
const DEFAULT = "default";

/** The numbers of a sending, and how many get it later because the limits hold it back from them, by reason. */
export type PreflightCounts = Preflight & { waits: Record<string, number> };

/** Counts the people of one sending, batch by batch. */
export interface PreflightCount {
  take(people: Person[]): Promise<void>;
  /** To be asked once, after the last batch. */
  answer(): Promise<PreflightCounts>;
}

/**
 * Counts who would get a sending if it were sent now, and who would not and why, by the rules of queueing. The numbers are
 * exact: it reads all people, about 100,000 a second.
 * @param batches all people of the audience
 */
export async function preflight(
  q: Queries,
  context: QueueContext,
  batches: AsyncIterable<Person[]>,
): Promise<Preflight> {
  const counting = await countPreflight(q, context);
  for await (const members of batches) await counting.take(members);
  const { waits: _, ...answer } = await counting.answer();
  return answer;
}

/** Begins to count who would get a sending if it were sent now. */
export async function countPreflight(q: Queries, { workspace, sending, now }: QueueContext): Promise<PreflightCount> {
  const choose = chooser(sending);
  const count = counter(sending, (await windowOf(q, workspace, sending)) !== undefined);
  const heldBack = askHeld(q, workspace);
  const rivals = rivalsFor((one) => count.decided(one, "same_address"));
  const countReachable = async (people: PersonWithEdition[]): Promise<void> => {
    const onList = await areSuppressed(
      q,
      sending,
      people.map(({ person }) => person),
    );
    const held = await heldBack(
      sending,
      people.map(({ person }) => person),
      now,
    );
    people.forEach((one, i) => {
      const hold = held[i];
      const left = hold && !isMoved(sending, hold) ? heldReason(hold) : undefined;
      const reason = left ?? (onList[i] ? "suppressed" : undefined);
      if (hold && reason === undefined) count.waits(one.person.person_id, heldReason(hold));
      count.decided(one, reason);
    });
  };
  return {
    async take(members) {
      const chosen = members.map((person) => ({ person, ...choose(person) }));
      const meant = chosen.filter(({ heldOut }) => !heldOut);
      const reasons = await refusals(q, sending, meant);
      for (const { person, heldOut } of chosen) if (heldOut) count.heldOut(person.person_id);
      const willing = meant.filter((one, i) => {
        if (reasons[i] !== undefined) count.decided(one, reasons[i]);
        return reasons[i] === undefined;
      });
      const shared = await sharersAmong(
        q,
        sending,
        willing.map(({ person }) => person.person_key),
      );
      const alone: PersonWithEdition[] = [];
      for (const one of willing) {
        const sharer = shared.get(one.person.person_key);
        if (sharer) rivals.take(one, sharer);
        else alone.push(one);
      }
      await countReachable(alone);
    },
    async answer() {
      await countReachable(rivals.first());
      return count.answer();
    },
  };
}

/**
 * Finds the one person of those who share an address who gets the copy there, and calls `second` with each of the others. It holds
 * all of them in memory until the end: nearly nobody shares an address.
 */
function rivalsFor(second: (one: PersonWithEdition) => void) {
  const first = new Map<string, { one: PersonWithEdition; sharer: Sharer }>();
  return {
    take(one: PersonWithEdition, sharer: Sharer): void {
      const before = first.get(sharer.address);
      const comes = !before || comesFirst(sharer, before.sharer);
      if (comes) first.set(sharer.address, { one, sharer });
      if (before) second(comes ? before.one : one);
    },
    first: (): PersonWithEdition[] => [...first.values()].map(({ one }) => one),
  };
}

type Counted = Pick<Preflight, "will_receive" | "excluded">;
/** The three usual reasons are there even with 0 people; the others only if they occur. */
const zero = (): Counted => ({ will_receive: 0, excluded: { unsubscribed: 0, suppressed: 0, no_address: 0 } });

/** @param hasWindow whether the sending has a window in which it is sent */
function counter({ source, editions: { variants, locales } }: Sending, hasWindow: boolean) {
  const all = zero();
  const byVariant = new Map((variants ?? []).map(({ name }) => [name, zero()]));
  const tags = [locales, ...(variants ?? []).map((variant) => variant.locales)].flatMap((one) =>
    Object.keys(one ?? {}),
  );
  const byLocale = new Map([DEFAULT, ...tags].map((tag) => [tag, 0]));
  const samples: Preflight["samples"] = { will_receive: [] };
  const waits: Record<string, number> = {};
  let heldOut = 0;

  function sample(name: string, personId: string): void {
    const list = samples[name] ?? [];
    if (list.length < SAMPLES) samples[name] = [...list, personId];
  }

  return {
    heldOut(personId: string): void {
      heldOut++;
      sample("held_out", personId);
    },
    /** Counts a person who will receive it later. A campaign waits for both reasons, and a broadcast for its window only. */
    waits(personId: string, reason: string): void {
      waits[reason] = (waits[reason] ?? 0) + 1;
      sample(source === "campaign" ? reason : "held", personId);
    },
    decided({ person: { person_id: personId }, edition }: PersonWithEdition, reason: string | undefined): void {
      for (const counted of [all, byVariant.get(edition.variant ?? "")]) {
        if (!counted) continue;
        if (reason === undefined) counted.will_receive++;
        else counted.excluded[reason] = (counted.excluded[reason] ?? 0) + 1;
      }
      const tag = edition.locale ?? DEFAULT;
      if (reason === undefined) byLocale.set(tag, (byLocale.get(tag) ?? 0) + 1);
      sample(reason ?? "will_receive", personId);
    },
    answer(): PreflightCounts {
      const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, part) => total + part, 0);
      return {
        audience: all.will_receive + heldOut + sum(all.excluded),
        ...all,
        held_out: heldOut,
        ...(hasWindow && { held: sum(waits) }),
        waits,
        ...(variants !== null && { variants: Object.fromEntries(byVariant) }),
        ...(tags.length > 0 && { locales: Object.fromEntries(byLocale) }),
        samples,
      };
    },
  };
}
