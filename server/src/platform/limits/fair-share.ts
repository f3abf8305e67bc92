import { Problem } from "../http/problem.ts";

/** A queue that takes turns among owners: the second item of one owner waits behind the first item of every other owner. */
export class Turns<T> {
  /** The owners in the order of their turns: an owner who had a turn moves to the end. */
  readonly #lines = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns how many items of this owner wait. */
  of(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  push(owner: string, one: T): void {
    const line = this.#lines.get(owner);
    if (line) line.push(one);
    else this.#lines.set(owner, [one]);
    this.#size++;
  }

  /** Takes out the next item of the first owner in turn for whom `may` returns true. */
  shift(may: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, line] of this.#lines) {
      if (!may(owner)) continue;
      const one = line.shift();
      this.#lines.delete(owner);
      if (line.length > 0) this.#lines.set(owner, line);
      this.#size--;
      return one;
    }
    return undefined;
  }

  /** Takes out an item that no longer waits. Returns whether it was still waiting. */
  remove(owner: string, one: T): boolean {
    const line = this.#lines.get(owner);
    const at = line?.indexOf(one) ?? -1;
    if (!line || at < 0) return false;
    line.splice(at, 1);
    if (line.length === 0) this.#lines.delete(owner);
    this.#size--;
    return true;
  }
}

export interface ShareOptions {
  /** The name of the work, for the error text: "exports". */
  of: string;
  /** How many run at once in this process. */
  most: number;
  /** How many of one workspace run at once. */
  each: number;
  /** How many of one workspace may run and wait; more are refused at once. */
  held: number;
  /** A call that had no turn within this time is refused too. Without it a call waits for as long as it takes. */
  patienceMs?: number;
  /** Who takes turns, for the error text. */
  among?: string;
}

/** A bound on expensive work that is shared fairly among the workspaces. */
export interface FairShare {
  /** Waits for a turn. Returns the function that ends it, which may be called twice. @throws Problem busy */
  enter(workspaceId: string): Promise<() => void>;
  /** Does `work` in a turn. @throws Problem busy */
  run<T>(workspaceId: string, work: () => Promise<T>): Promise<T>;
}

const RETRY_AFTER_S = 5;

/** Returns a 429 for a caller who has too much expensive work under way. */
export const busy = (detail: string, retryAfterS = RETRY_AFTER_S, cause?: unknown): Problem =>
  new Problem("busy", detail, { headers: { "retry-after": String(retryAfterS) }, cause });

/** Bounds the work of each workspace and of all together; calls beyond that wait, and the workspaces take turns. */
export function fairShare({ of, most, each, held, patienceMs, among = "workspace" }: ShareOptions): FairShare {
  const running = new Map<string, number>();
  const waiting = new Turns<() => void>();
  let total = 0;

  const runs = (owner: string): number => running.get(owner) ?? 0;
  const hasRoom = (owner: string): boolean => runs(owner) < each;

  /** A turn begins where it is granted, so that no other call takes it in between. */
  function begin(owner: string): void {
    total++;
    running.set(owner, runs(owner) + 1);
  }

  function end(owner: string): void {
    total--;
    if (runs(owner) === 1) running.delete(owner);
    else running.set(owner, runs(owner) - 1);
    if (total < most) waiting.shift(hasRoom)?.();
  }

  function turn(owner: string): Promise<void> {
    if (total < most && hasRoom(owner)) {
      begin(owner);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      let late: NodeJS.Timeout | undefined;
      const start = () => {
        clearTimeout(late);
        begin(owner);
        resolve();
      };
      waiting.push(owner, start);
      if (patienceMs === undefined) return;
      late = setTimeout(() => {
        if (waiting.remove(owner, start)) reject(busy(`Too many ${of} are under way. Repeat the request later.`));
      }, patienceMs);
    });
  }

  async function enter(owner: string): Promise<() => void> {
    if (runs(owner) + waiting.of(owner) >= held)
      throw busy(`This ${among} has ${held} ${of} under way or waiting, as many as it may. Repeat the request later.`);
    await turn(owner);
    let over = false;
    return () => {
      if (!over) end(owner);
      over = true;
    };
  }

  return {
    enter,
    async run(owner, work) {
      const leave = await enter(owner);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
