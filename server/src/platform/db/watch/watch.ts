import { setImmediate as nextTurn } from "node:timers/promises";
import type pg from "pg";
import type { Log } from "../../log.ts";
import { cut, heardOf, type Line, lineOf, movedOf, NoneFree, Silent } from "./lines.ts";
import { type Found, type Probe, probe } from "./probe.ts";

// A slow statement and a silent connection look the same from here, and TCP reports a dead connection only after minutes. So when a
// statement waits, PostgreSQL is asked over a new connection whether it works on the statement:
//   it does                 the statement is slow, and may go on until the time limit of the pool
//   it does not             the connection is silent, and unused ones may be silent too: all of these are destroyed
//   there is no answer      the database is silent: all statements fail now, and new ones are refused until it answers again
// Behind a pooler, a transaction may also wait for a connection. A statement is sent over the pooler, too: if it overtakes the waiting
// one, that one is silent; if not, all connections are lent, and the transaction fails after 2 s as in a pool of our own.
// All limits are counted in turns of this timer: a process that was stopped for seconds must not take that for silence.

const TURN_MS = 250;
/** PostgreSQL is asked after 0.75 s without an answer, then each time after twice as long, and finally every 4 s. */
const FIRST_LOOK = 3;
const LATER_LOOKS = 16;
/** A new connection and its answer have 1.25 s: a statement to a silent database fails after 2 to 2.25 s. */
const PROBE_TURNS = 5;
/** A transaction waits 2 s for a connection of the pooler, as for one of our own pool. */
const FREE_TURNS = 8;
/** An open transaction without a statement, for example while it renders, sends one after 2 s to show that it lives. */
const ALIVE_TURNS = 8;

export interface WatchOptions {
  url: string;
  /** The address of PostgreSQL itself, if `url` is that of a pooler. */
  direct?: string | undefined;
  /** See `Queries.distributed`. */
  distributed?: boolean;
  log: Log;
  /** No answer may take longer. PostgreSQL's own time limit for a statement is shorter. */
  longestMs: number;
}

/** Ends the waiting for a silent database or a silent connection. */
export class Watch {
  readonly #options: WatchOptions;
  readonly #lines = new Map<pg.PoolClient, Line>();
  readonly #acquiring = new Set<(error: Error) => void>();
  readonly #timer: NodeJS.Timeout;
  #turn = 0;
  #silent = false;
  #probe: { began: number; probe: Probe } | undefined;

  constructor(pool: pg.Pool, options: WatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), TURN_MS).unref();
    pool.on("acquire", (client) => {
      const line = this.#lines.get(client);
      if (line) line.out = true;
    });
    pool.on("release", (_error, client) => {
      const line = this.#lines.get(client);
      if (!line) return;
      line.out = false;
      if (options.direct !== undefined) line.pid = undefined;
    });
    pool.on("remove", (client) => this.#lines.delete(client));
  }

  /** Begins to watch a connection. */
  add(client: pg.PoolClient, pid?: number): void {
    // The pool does not listen for the errors of a checked-out connection, and an error without a listener ends the process.
    client.on("error", () => {});
    this.#lines.set(client, lineOf(client, pid, FIRST_LOOK));
  }

  /** Notes the backend that a pooler has lent for the present transaction. */
  lent(client: pg.PoolClient, pid: number | undefined): void {
    const line = this.#lines.get(client);
    if (line) line.pid = pid;
  }

  /** Returns the answer to a statement on this connection, and counts it as outstanding until then. @throws Silent */
  async answer<T>(client: pg.PoolClient, asked: Promise<T>): Promise<T> {
    const line = this.#lines.get(client) as Line;
    line.under++;
    try {
      return await asked;
    } finally {
      line.under--;
    }
  }

  /** Checks a connection out of this pool. @throws Silent, at once while the database is silent */
  connection(pool: pg.Pool): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      if (this.#silent) return reject(new Silent("the database is silent"));
      this.#acquiring.add(reject);
      pool.connect().then(
        (client) => (this.#acquiring.delete(reject) ? resolve(client) : client.release()),
        (error) => {
          this.#acquiring.delete(reject);
          reject(error);
        },
      );
    });
  }

  /** Whether the database as a whole is silent, as far as is known. */
  isSilent(): boolean {
    return this.#silent;
  }

  /** Ends all connections that are still open. */
  close(): void {
    clearInterval(this.#timer);
    this.#probe?.probe.end();
    for (const { client } of this.#lines.values()) cut(client, "the service stops");
  }

  #look(): void {
    this.#turn++;
    let ask = this.#silent;
    for (const line of this.#lines.values()) {
      this.#count(line);
      if (line.waits * TURN_MS >= this.#options.longestMs) cut(line.client, "a statement took too long");
      else if (line.waits >= line.lookAt) ask = true;
      if (line.rests >= ALIVE_TURNS) this.#sayAlive(line);
    }
    if (this.#probe) {
      if (this.#turn - this.#probe.began >= PROBE_TURNS) this.#probe.probe.end();
    } else if (ask) void this.#ask();
  }

  #count(line: Line): void {
    const moved = movedOf(line.client);
    const still = moved === line.moved;
    line.waits = still && line.under > 0 ? line.waits + 1 : 0;
    line.rests = still && line.under === 0 && line.out ? line.rests + 1 : 0;
    if (line.waits === 0) line.lookAt = FIRST_LOOK;
    line.moved = moved;
  }

  /** Otherwise PostgreSQL would take the client for dead and roll back: see `idle_in_transaction_session_timeout` in pool.ts. */
  #sayAlive(line: Line): void {
    line.rests = 0;
    this.answer(line.client, line.client.query("select 1")).catch(() => {});
  }

  async #ask(): Promise<void> {
    const asked = [...this.#lines.values()]
      .filter((line) => line.waits >= line.lookAt)
      .map((line) => ({ line, moved: line.moved }));
    const before = new Map([...this.#lines.keys()].map((client) => [client, heardOf(client)]));
    const current = probe(
      this.#options,
      asked.flatMap(({ line }) => line.pid ?? []),
    );
    this.#probe = { began: this.#turn, probe: current };
    const found = await current.answer;
    this.#probe = undefined;
    // Answers on other connections that were sent before this one are read first.
    await nextTurn();
    if (found === undefined) {
      const heard = [...this.#lines.keys()].some((client) => heardOf(client) !== before.get(client));
      return heard ? undefined : this.#noAnswer();
    }
    if (this.#silent) this.#options.log.info("the database answers again");
    this.#silent = false;
    this.#judge(
      asked.filter(({ line, moved }) => line.under > 0 && movedOf(line.client) === moved).map(({ line }) => line),
      found,
    );
  }

  /** Decides about the connections that have still not answered. */
  #judge(stuck: Line[], { working, served }: Found): void {
    const silent = stuck.filter(({ pid, waits }) =>
      // Over the pooler, a statement may overtake another one by chance, but not twice.
      pid === undefined ? served && waits >= 2 * FIRST_LOOK : working !== "alive" && !working.has(pid),
    );
    for (const line of stuck) {
      line.lookAt = line.waits + Math.min(line.waits, LATER_LOOKS);
      if (line.pid === undefined && !served && line.waits >= FREE_TURNS)
        cut(line.client, "all connections of the pooler are lent", NoneFree);
    }
    if (silent.length > 0) this.#throwAway(silent);
  }

  /** If one connection is silent, the unused ones may be silent too, and each would cost its next user the same wait. */
  #throwAway(silent: Line[]): void {
    const idle = [...this.#lines.values()].filter((line) => !line.out);
    const counts = { silent: silent.length, idle: idle.length };
    this.#options.log.warn(counts, "connections to the database are silent: they are replaced");
    for (const { client } of [...silent, ...idle]) cut(client, "the connection is silent");
  }

  #noAnswer(): void {
    if (!this.#silent) this.#options.log.warn("the database is silent: requests are refused until it answers");
    this.#silent = true;
    for (const { client, out, under } of this.#lines.values())
      if (under > 0 || !out) cut(client, "the database is silent");
    for (const reject of this.#acquiring) reject(new Silent("the database is silent"));
    this.#acquiring.clear();
  }
}
