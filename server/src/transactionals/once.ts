import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import { earlier, inProgress, type Keyed } from "../platform/resources/idempotency.ts";
import type { Written } from "./gathered.ts";
import type { Mark } from "./repeats.ts";

/** What a call has in common with its repeats: an Idempotency-Key, or the mark of its client. */
interface Repeatable {
  keyed?: Keyed | undefined;
  mark?: Mark | undefined;
}

/** Carries out `work` for a call, or returns the answer of the first call if this one repeats it. */
export type Once = (call: Repeatable, work: () => Promise<Written>) => Promise<Written>;

/**
 * Returns the function that carries out each call of a process once. Two calls with the same Idempotency-Key never run at the same
 * time: the second one gets 409 `idempotency_in_progress`, or the first answer if the first one has ended. A call that its client
 * marks as a repeat waits for the first one and gets its answer. Without a mark, an equal call is a new call.
 */
export function onlyOnce(ground: Ground): Once {
  const underWay = new Map<string, Promise<Written>>();

  async function keyedOnce(keyed: Keyed, work: () => Promise<Written>): Promise<Written> {
    try {
      return await work();
    } catch (problem) {
      // A repeat gets the first answer even if the definition was changed or removed since.
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
