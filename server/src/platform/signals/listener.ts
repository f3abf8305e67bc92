import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../log.ts";

/** A connection that only listens would never notice that it is dead, so it sends a statement this often. */
const BEAT_MS = 3_000;
/** The longest time for a connection to open, and for an answer on it. */
const ANSWER_MS = 2_000;

export interface ListenerOptions {
  url: string;
  log: Log;
  channel: string;
  heard(payload: string): void;
  /** Is told of each new connection. */
  opened(): void;
}

/** One connection that listens on a channel of LISTEN/NOTIFY. It is opened again with back-off whenever it breaks. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #beating: NodeJS.Timeout;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #attempt = 0;
  /** When a connection that worked was lost (performance.now()). */
  #lostAt: number | undefined;
  #closed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    void this.#connect();
    this.#beating = setInterval(() => void this.#beat(), BEAT_MS);
  }

  /** The open connection, which can also send; undefined while there is none. */
  get client(): pg.Client | undefined {
    return this.#client;
  }

  /** From now on a connection that breaks is not opened again. */
  keepNoMore(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#beating);
  }

  async close(): Promise<void> {
    this.keepNoMore();
    const last = this.#client;
    this.#client = undefined;
    if (!last) return;
    // A silent server would not answer `end` either.
    await Promise.race([last.end(), sleep(ANSWER_MS, undefined, { ref: false })]).catch(() => {});
    last.connection.stream.destroy();
  }

  async #connect(): Promise<void> {
    const { url, log, channel, heard, opened } = this.#options;
    const fresh = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      pipeline: true,
      application_name: "tidings signals",
    });
    fresh.on("error", (error) => {
      log.warn({ err: error.message }, "the connection for signals was lost");
      this.#lost(fresh);
    });
    fresh.on("notification", ({ payload }) => heard(payload ?? ""));
    try {
      await fresh.connect();
      await fresh.query(`listen ${channel}`);
      if (this.#closed) return this.#lost(fresh);
      this.#client = fresh;
      this.#attempt = 0;
      if (this.#lostAt !== undefined) {
        const seconds = Math.round((performance.now() - this.#lostAt) / 100) / 10;
        log.info({ seconds }, "signals of other processes arrive again");
        this.#lostAt = undefined;
      }
      opened();
    } catch {
      this.#lost(fresh);
    }
  }

  #lost(failed: pg.Client): void {
    // `end` would wait for the other side.
    failed.connection.stream.destroy();
    if (this.#client !== failed && this.#client !== undefined) return;
    if (this.#client === failed) this.#lostAt = performance.now();
    this.#client = undefined;
    if (this.#closed || this.#retry) return;
    const wait = Math.min(100 * 2 ** this.#attempt++, 2_000);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      void this.#connect();
    }, wait);
  }

  async #beat(): Promise<void> {
    const asked = this.#client;
    await asked?.query("select").catch((error) => {
      if (this.#client !== asked) return;
      this.#options.log.warn({ err: error.message }, "the connection for signals is silent");
      this.#lost(asked);
    });
  }
}
