import type { Preflight } from "@tidings/contract/messages/sendings";
import type { Person, Sharer } from "../people/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { chooser } from "./content/editions.ts";
import { type Asked, listed, refusals } from "./recipients/refusals.ts";
import { comesFirst, sharing } from "./recipients/same-address.ts";
import type { Saying, Sending } from "./sending.ts";

const SAMPLES = 5;
const DEFAULT = "default";

/**
 * Who would get a sending if it were sent now, and who not and why, by the rules that queueing has. Exact: it reads all
 * people, some 100,000 a second.
 * @param pages all people whom it is meant for, page by page
 */
export async function preflight(q: Queries, sending: Sending, pages: AsyncIterable<Person[]>): Promise<Preflight> {
  const choose = chooser(sending);
  const count = counter(sending.saying);
  const rivals = rivalsFor((one) => count.asked(one, "same_address"));
  const reached = async (people: Asked[]): Promise<void> => {
    const onList = await listed(
      q,
      sending,
      people.map(({ person }) => person),
    );
    people.forEach((one, i) => void count.asked(one, onList[i] ? "suppressed" : undefined));
  };
  for await (const members of pages) {
    const chosen = members.map((person) => ({ person, ...choose(person) }));
    const meant = chosen.filter(({ heldOut }) => !heldOut);
    const reasons = await refusals(q, sending, meant);
    for (const { person, heldOut } of chosen) if (heldOut) count.heldOut(person.person_id);
    const willing = meant.filter((one, i) => {
      if (reasons[i] !== undefined) count.asked(one, reasons[i]);
      return reasons[i] === undefined;
    });
    const shared = await sharing(
      q,
      sending,
      willing.map(({ person }) => person.person_key),
    );
    const alone: Asked[] = [];
    for (const one of willing) {
      const sharer = shared.get(one.person.person_key);
      if (sharer) rivals.take(one, sharer);
      else alone.push(one);
    }
    await reached(alone);
  }
  await reached(rivals.first());
  return count.answer();
}

/** Finds of those who share an address the one who gets it there; `second` is told each of the others. Kept until all are known: nearly nobody shares one. */
function rivalsFor(second: (one: Asked) => void) {
  const first = new Map<string, { one: Asked; sharer: Sharer }>();
  return {
    take(one: Asked, sharer: Sharer): void {
      const before = first.get(sharer.address);
      const comes = !before || comesFirst(sharer, before.sharer);
      if (comes) first.set(sharer.address, { one, sharer });
      if (before) second(comes ? before.one : one);
    },
    first: (): Asked[] => [...first.values()].map(({ one }) => one),
  };
}

type Counted = Pick<Preflight, "will_receive" | "excluded">;
/** The three that everyone looks for are there also as 0; the others only where there are any. */
const nothing = (): Counted => ({ will_receive: 0, excluded: { unsubscribed: 0, suppressed: 0, no_address: 0 } });

function counter({ variants, locales }: Saying) {
  const all = nothing();
  const byVariant = new Map((variants ?? []).map(({ name }) => [name, nothing()]));
  const tags = [locales, ...(variants ?? []).map((variant) => variant.locales)].flatMap((one) =>
    Object.keys(one ?? {}),
  );
  const byLocale = new Map([DEFAULT, ...tags].map((tag) => [tag, 0]));
  const samples: Preflight["samples"] = { will_receive: [] };
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
    asked({ person: { person_id: personId }, edition: to }: Asked, reason: string | undefined): void {
      for (const counted of [all, byVariant.get(to.variant ?? "")]) {
        if (!counted) continue;
        if (reason === undefined) counted.will_receive++;
        else counted.excluded[reason] = (counted.excluded[reason] ?? 0) + 1;
      }
      const tag = to.locale ?? DEFAULT;
      if (reason === undefined) byLocale.set(tag, (byLocale.get(tag) ?? 0) + 1);
      sample(reason ?? "will_receive", personId);
    },
    answer(): Preflight {
      const excluded = Object.values(all.excluded).reduce((sum, part) => sum + part, 0);
      return {
        audience: all.will_receive + heldOut + excluded,
        ...all,
        held_out: heldOut,
        ...(variants !== null && { variants: Object.fromEntries(byVariant) }),
        ...(tags.length > 0 && { locales: Object.fromEntries(byLocale) }),
        samples,
      };
    },
  };
}
