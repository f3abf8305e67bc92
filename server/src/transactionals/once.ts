import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import { earlier, inProgress, type Keyed } from "../platform/resources/idempotency.ts";
import type { Written } from "./gathered.ts";
import type { Mark } from "./repeats.ts";

/** What tells a repeat of a call: its Idempotency-Key, or what its client marks. */
interface Told {
  keyed?: Keyed | undefined;
  mark?: Mark | undefined;
}

/** Carries out `work` for a call, or gives the answer of the call that it repeats. */
export type Once = (call: Told, work: () => Promise<Written>) => Promise<Written>;

/**
 * Gives what lets each call of a process be carried out once. Of calls with the same Idempotency-Key one is under way at a time:
 * one that comes meanwhile is told to wait, and one that can't be carried out again gets the first answer. A marked repeat waits
 * for the first call itself, and gets what it got. An equal call that is not marked is another call.
 */
export function onlyOnce(ground: Ground): Once {
  const underWay = new Map<string, Promise<Written>>();

  async function keyedOnce(keyed: Keyed, work: () => Promise<Written>): Promise<Written> {
    try {
      return await work();
    } catch (problem) {
      // A repeat gets the first answer also where the definition has changed or gone since.
      if (!(problem instanceof Problem)) throw problem;
      const before = await earlier(ground.db, keyed, ground.clock.now());
      if (!before) throw problem;
      if (before instanceof Problem) throw before;
      return { answer: before, again: true };
    }
  }

  return async ({ keyed, mark }, work) => {
    const name = keyed ? `${keyed.scope} ${keyed.route} ${keyed.key}` : mark?.bits;
    if (name === undefined) return work();
    const first = underWay.get(name);
    if (first && keyed) throw inProgress();
    const before = first && mark?.repeat ? await first.catch(() => undefined) : undefined;
    if (before) return { ...before, again: true };
    const mine = keyed ? keyedOnce(keyed, work) : work();
    underWay.set(name, mine);
    try {
      return await mine;
    } finally {
      if (underWay.get(name) === mine) underWay.delete(name);
    }
  };
}
