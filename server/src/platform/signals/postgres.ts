import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../log.ts";
import { Hearers } from "./hearers.ts";
import { packed, type Waiting } from "./notices.ts";
import { Rounds } from "./rounds.ts";
import type { Signals } from "./signals.ts";

const CHANNEL = "tidings";
/** PostgreSQL refuses a payload of 8,000 bytes. */
const MOST_BYTES = 7_900;
/** A connection that only listens would never notice that it is dead, so it sends a statement this often. */
const BEAT_MS = 3_000;
/** The longest time for a connection to open, and for an answer on it. */
const ANSWER_MS = 2_000;

/** Signals over LISTEN/NOTIFY on a connection of their own, which is opened again with back-off whenever it breaks. */
export function postgresSignals(url: string, log: Log): Signals {
  const node = randomBytes(6).toString("base64url");
  const hearers = new Hearers();
  const rounds = new Rounds(() => client !== undefined, send);
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let attempt = 0;
  let closed = false;

  function lost(failed: pg.Client): void {
    // `end` would wait for the other side.
    failed.connection.stream.destroy();
    if (client !== failed && client !== undefined) return;
    client = undefined;
    if (closed || retry) return;
    const wait = Math.min(100 * 2 ** attempt++, 2_000);
    retry = setTimeout(() => {
      retry = undefined;
      void connect();
    }, wait);
  }

  async function connect(): Promise<void> {
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
      lost(fresh);
    });
    fresh.on("notification", ({ payload }) => {
      const [from, topic, ...items] = (payload ?? "").split(" ");
      if (from !== node && topic) hearers.deliver(topic, items);
    });
    try {
      await fresh.connect();
      await fresh.query(`listen ${CHANNEL}`);
      if (closed) return lost(fresh);
      client = fresh;
      attempt = 0;
      rounds.wake();
    } catch {
      lost(fresh);
    }
  }

  async function send(waiting: Waiting[]): Promise<void> {
    try {
      await client?.query("select pg_notify($1, payload) from unnest($2::text[]) as payload", [
        CHANNEL,
        packed(waiting, ({ topic }) => `${node} ${topic}`, MOST_BYTES),
      ]);
    } catch (error) {
      log.warn({ err: (error as Error).message }, "signals could not be sent to the other nodes");
    }
  }

  async function beat(): Promise<void> {
    const asked = client;
    await asked?.query("select").catch((error) => {
      if (client !== asked) return;
      log.warn({ err: error.message }, "the connection for signals is silent");
      lost(asked);
    });
  }

  void connect();
  const beating = setInterval(() => void beat(), BEAT_MS);
  return {
    publish(topic, items) {
      if (items.length === 0) return;
      hearers.deliver(topic, items);
      rounds.add(topic, items);
    },
    subscribe: (topic, hear, buckets) => hearers.add(topic, hear, buckets),
    healthy: () => client !== undefined,
    async close() {
      closed = true;
      clearTimeout(retry);
      clearInterval(beating);
      await rounds.end();
      const last = client;
      client = undefined;
      if (!last) return;
      // A silent server would not answer `end` either.
      await Promise.race([last.end(), sleep(ANSWER_MS, undefined, { ref: false })]).catch(() => {});
      last.connection.stream.destroy();
    },
  };
}
