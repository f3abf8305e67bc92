/** A bound on things under way at once, with a queue in order of arrival. */
export interface Slots {
  /** Waits for a place. Who entered must leave. */
  enter(): Promise<void>;
  leave(): void;
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How many wait for their turn. */
  waiting(): number;
  /** Resolves when nothing is under way or waiting. */
  drained(): Promise<void>;
}

/** @param most things under way at once */
export function slots(most: number): Slots {
  let running = 0;
  const waiting: (() => void)[] = [];
  const watching: (() => void)[] = [];

  async function enter(): Promise<void> {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
  }

  function leave(): void {
    running--;
    const next = waiting.shift();
    if (next) next();
    else if (running === 0) for (const done of watching.splice(0)) done();
  }

  return {
    enter,
    leave,
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    waiting: () => waiting.length,
    drained: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => watching.push(resolve))),
  };
}
