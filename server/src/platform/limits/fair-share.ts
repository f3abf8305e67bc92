import { Problem } from "../http/problem.ts";

/** What waits, given out in turns by whose it is: who asks a hundred times waits behind each other's first. */
export class Turns<T> {
  /** In the order of their turns: who had one goes to the end. */
  readonly #lines = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many of this owner wait. */
  of(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  push(owner: string, one: T): void {
    const line = this.#lines.get(owner);
    if (line) line.push(one);
    else this.#lines.set(owner, [one]);
    this.#size++;
  }

  /** The next one, of the owner whose turn it is among those who `may`. */
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

  /** Takes out one that waits no longer. Gives whether it did. */
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
  /** What it is a share of, for the sentence to who has too many: "exports". */
  of: string;
  /** At once in this process. */
  most: number;
  /** At once of one workspace. */
  each: number;
  /** Of one workspace, under way and waiting; more are refused at once. */
  held: number;
  /** Who had no turn by then is refused, too. Without it a turn comes some time. */
  patienceMs?: number;
}

/** A bound on something dear, shared out among the workspaces. */
export interface FairShare {
  /** Waits for a turn. Gives the function that ends it, which may be called twice. @throws Problem busy */
  enter(workspaceId: string): Promise<() => void>;
  /** Does `work` in a turn. @throws Problem busy */
  run<T>(workspaceId: string, work: () => Promise<T>): Promise<T>;
}

const RETRY_AFTER_S = 5;

/** 429 for who has too much of something dear under way. */
export const busy = (detail: string, retryAfterS = RETRY_AFTER_S, cause?: unknown): Problem =>
  new Problem("busy", detail, { headers: { "retry-after": String(retryAfterS) }, cause });

/** A share for each workspace: at most so many at once of one and of all, the rest in turns by workspace. */
export function fairShare({ of, most, each, held, patienceMs }: ShareOptions): FairShare {
  const running = new Map<string, number>();
  const waiting = new Turns<() => void>();
  let total = 0;

  const runs = (owner: string): number => running.get(owner) ?? 0;
  const hasRoom = (owner: string): boolean => runs(owner) < each;

  /** A turn begins where it is given, so that nobody takes it in between. */
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
      throw busy(`This workspace has ${held} ${of} under way or waiting, as many as it may. Repeat the request later.`);
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
