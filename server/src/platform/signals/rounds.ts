import type { Waiting } from "./notices.ts";

/** A node sends at most 20 rounds a second: a notify inside each commit would serialise the commits (35,722 to 5,480 commits/s). */
const ROUND_MS = 50;
/** Beyond this many waiting items the oldest are dropped: they are only hints, and must not fill the memory. */
const MOST_WAITING = 200_000;

/** Gathers the signals for the other processes and sends them in rounds; keeps them while there is no connection. */
export class Rounds {
  readonly #open: () => boolean;
  readonly #send: (waiting: Waiting[]) => Promise<void>;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `send` must not throw: items that it could not send are lost. */
  constructor(open: () => boolean, send: (waiting: Waiting[]) => Promise<void>) {
    this.#open = open;
    this.#send = send;
  }

  add(topic: string, items: string[]): void {
    for (const item of items) this.#waiting.push({ topic, item });
    if (this.#waiting.length > MOST_WAITING) this.#waiting = this.#waiting.slice(-MOST_WAITING);
    this.wake();
  }

  /** Starts a round for the waiting items. Call it when there is a connection again. */
  wake(): void {
    if (this.#waiting.length === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#flush();
    }, ROUND_MS);
  }

  /** Sends the last round at once. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    if (!this.#open() || this.#waiting.length === 0) return;
    const taken = this.#waiting;
    this.#waiting = [];
    await this.#send(taken);
  }
}
