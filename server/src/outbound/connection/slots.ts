/** A bound on work under way at once, with a queue in order of arrival: work that is not bulk comes before bulk. */
export interface Slots {
  /** Waits for a place. Each `enter` needs one `leave`. */
  enter(bulk: boolean): Promise<void>;
  leave(): void;
  run<T>(bulk: boolean, work: () => Promise<T>): Promise<T>;
  /** How many would have their turn before one that arrives now. */
  waiting(bulk: boolean): number;
  /** Resolves when nothing is under way or waiting. */
  drained(): Promise<void>;
}

/** @param most how much may be under way at once */
export function slots(most: number): Slots {
  let running = 0;
  const first: (() => void)[] = [];
  const rest: (() => void)[] = [];
  const watching: (() => void)[] = [];

  async function enter(bulk: boolean): Promise<void> {
    if (running >= most) await new Promise<void>((resolve) => (bulk ? rest : first).push(resolve));
    running++;
  }

  function leave(): void {
    running--;
    const next = first.shift() ?? rest.shift();
    if (next) next();
    else if (running === 0) for (const done of watching.splice(0)) done();
  }

  return {
    enter,
    leave,
    async run(bulk, work) {
      await enter(bulk);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    waiting: (bulk) => first.length + (bulk ? rest.length : 0),
    drained: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => watching.push(resolve))),
  };
}
