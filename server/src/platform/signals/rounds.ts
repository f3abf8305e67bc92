import type { Waiting } from "./notices.ts";

/** 20 rounds a second a node at most: a notify inside each commit would serialise them (35,722 to 5,480 commits/s). */
const ROUND_MS = 50;
/** Beyond this many waiting items the oldest are dropped: they are hints, and a node that lags must not hoard. */
const MOST_WAITING = 200_000;

/** Gathers what is to be told to the other processes, and hands it over in rounds; keeps it while there is no way out. */
export class Rounds {
  readonly #open: () => boolean;
  readonly #send: (waiting: Waiting[]) => Promise<void>;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `send` must not throw: what it could not send is lost. */
  constructor(open: () => boolean, send: (waiting: Waiting[]) => Promise<void>) {
    this.#open = open;
    this.#send = send;
  }

  add(topic: string, items: string[]): void {
    for (const item of items) this.#waiting.push({ topic, item });
    if (this.#waiting.length > MOST_WAITING) this.#waiting = this.#waiting.slice(-MOST_WAITING);
    this.wake();
  }

  /** Sends soon what has been waiting: to be called when there is a way out again. */
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
