import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import { earlier, inProgress, type Keyed } from "../platform/resources/idempotency.ts";
import type { CallResult } from "./gathered.ts";
import type { Mark } from "./repeats.ts";

/** What a call has in common with its repeats: an Idempotency-Key, or the mark of its client. */
interface Repeatable {
  keyed?: Keyed | undefined;
  mark?: Mark | undefined;
}

/** Carries out `work` for a call, or returns the answer of the first call if this one repeats it. */
export type Once = (call: Repeatable, work: () => Promise<CallResult>) => Promise<CallResult>;

/**
 * Returns the function that carries out each call of a process once. Two calls with the same Idempotency-Key never run at the same
 * time: the second one gets 409 `idempotency_in_progress`, or the first answer if the first one has ended. A call that its client
 * marks as a repeat waits for the first one and gets its answer. Without a mark, an equal call is a new call.
 */
export function onlyOnce(ground: Ground): Once {
  const running = new Map<string, Promise<CallResult>>();

  async function keyedOnce(keyed: Keyed, work: () => Promise<CallResult>): Promise<CallResult> {
    try {
      return await work();
    } catch (problem) {
      // A repeat gets the first answer even if the definition was changed or removed since.
      if (!(problem instanceof Problem)) throw problem;
      const before = await earlier(ground.db, keyed, ground.clock.now());
      if (!before) throw problem;
      if (before instanceof Problem) throw before;
      return { answer: before, replayed: true };
    }
  }

  return async ({ keyed, mark }, work) => {
    const name = keyed ? `${keyed.scope} ${keyed.route} ${keyed.key}` : mark?.bits;
    if (name === undefined) return work();
    const first = running.get(name);
    if (first && keyed) throw inProgress();
    const before = first && mark?.repeat ? await first.catch(() => undefined) : undefined;
    if (before) return { ...before, replayed: true };
    const result = keyed ? keyedOnce(keyed, work) : work();
    running.set(name, result);
    try {
      return await result;
    } finally {
      if (running.get(name) === result) running.delete(name);
    }
  };
}
