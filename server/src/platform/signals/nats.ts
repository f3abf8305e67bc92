import { setTimeout as sleep } from "node:timers/promises";
import type { NatsConnection, Subscription } from "@nats-io/transport-node";
import type { NatsServers } from "../compound-settings.ts";
import type { Log } from "../log.ts";
import { bucketOf } from "./buckets.ts";
import { Hearers } from "./hearers.ts";
import { packed, type Waiting } from "./notices.ts";
import { Rounds } from "./rounds.ts";
import type { Node, Signals } from "./signals.ts";

/** Far below the 1 MiB at which a nats-server closes the connection. */
const MOST_BYTES = 60_000;
/** The client leaves a server that hangs after three pings without an answer. */
const PING_MS = 1_000;
/** The pause between two attempts at the same server; another server of the cluster is tried at once. */
const RETRY_MS = { least: 250, spread: 250 };
const CONNECT_MS = 2_000;
const LAST_WORDS_MS = 1_000;
/** After an outage the other processes are back within this time. What is told sooner is told once more after it. */
const OTHERS_BACK_MS = 1_000;
const LOST = "the connection to NATS was lost: until it is back, polls find what other processes did";

/** `tidings.<topic>.<bucket>`: a node that wants a whole topic subscribes with a wildcard. */
const subjectOf = (topic: string, bucket: string): string => `tidings.${topic}.${bucket}`;

/**
 * Connects to any server of the cluster. The first attempt may fail; a connection that was made once reconnects for ever.
 * @throws Error if no server answers within 2 s, or the credentials are refused
 */
export async function connectNats({ tls, ...servers }: NatsServers): Promise<NatsConnection> {
  // Loaded here, because a service without NATS has no use for its 57 modules.
  const { connect } = await import("@nats-io/transport-node");
  return connect({
    ...servers,
    ...(tls && { tls: {} }),
    name: "tidings",
    // Subscribers of this process are called directly.
    noEcho: true,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    // The operator may change credentials on one server after the other: a refused login may work in a minute.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RETRY_MS.least,
    reconnectJitter: RETRY_MS.spread,
    reconnectJitterTLS: RETRY_MS.spread,
    noAsyncTraces: true,
  });
}

/** What this node asks of the server that it is connected to. */
function subscriptionsFor(hearers: Hearers, { log, from }: Tell) {
  const asked = new Map<string, Subscription>();

  /** Changes the subscriptions at the server to what the hearers of this topic want. */
  function change(connection: NatsConnection | undefined, topic: string): void {
    if (!connection || connection.isClosed()) return;
    const wanted = hearers.wanted(topic);
    const names = wanted === "all" ? ["*"] : wanted;
    const subjects = new Set(Array.from(names, (name) => subjectOf(topic, name)));
    for (const [subject, subscription] of asked) {
      const itsTopic = subject.slice("tidings.".length, subject.lastIndexOf("."));
      if (itsTopic !== topic || subjects.has(subject)) continue;
      asked.delete(subject);
      subscription.unsubscribe();
    }
    for (const subject of subjects) if (!asked.has(subject)) asked.set(subject, listen(connection, topic, subject));
  }

  function listen(via: NatsConnection, topic: string, subject: string): Subscription {
    const subscription = via.subscribe(subject, {
      callback(error, message) {
        if (error) {
          log.error({ err: error.message, subject }, "NATS refuses this node a subscription to signals");
          if (asked.get(subject) === subscription) asked.delete(subject);
        } else if (message.reply !== from) {
          hearers.deliver(topic, message.string().split(" "));
        }
      },
    });
    return subscription;
  }

  return {
    change,
    /** A new connection has no subscriptions yet. */
    begin(connection: NatsConnection): void {
      asked.clear();
      for (const topic of hearers.topics()) change(connection, topic);
    },
  };
}

const secondsOf = (ms: number): number => Math.round(ms / 100) / 10;

interface Tell {
  log: Log;
  /** Stands where a message names the subject for replies. Nobody replies, so the field is free to say which process told it. */
  from: string;
}

function tell(connection: NatsConnection | undefined, waiting: Waiting[], { log, from }: Tell): void {
  try {
    for (const notice of packed(waiting, ({ topic, item }) => subjectOf(topic, bucketOf(item)), MOST_BYTES)) {
      const end = notice.indexOf(" ");
      connection?.publish(notice.slice(0, end), notice.slice(end + 1), { reply: from });
    }
  } catch (error) {
    log.warn({ err: (error as Error).message }, "signals could not be sent to the other nodes");
  }
}

/**
 * Signals over NATS. Unlike LISTEN/NOTIFY, NATS delivers only the buckets that this node wants: a node with ten streams
 * hears of ten buckets. Signals that are published while no server answers wait for the next connection, up to a bound.
 */
export function natsSignals(servers: NatsServers, log: Log, node: Node): Signals {
  const telling = { log, from: `tidings-node.${node.name}` };
  const hearers = new Hearers(node.other, (topic) => subscriptions.change(connection, topic));
  const subscriptions = subscriptionsFor(hearers, telling);
  const rounds = new Rounds(() => up, send);
  const ended = new AbortController();
  let connection: NatsConnection | undefined;
  let up = false;
  let lostAt = performance.now();
  let backAt = Number.NEGATIVE_INFINITY;

  async function send(waiting: Waiting[]): Promise<void> {
    tell(connection, waiting, telling);
    if (performance.now() - backAt < OTHERS_BACK_MS)
      setTimeout(() => tell(connection, waiting, telling), OTHERS_BACK_MS).unref();
  }

  async function watch(via: NatsConnection): Promise<void> {
    for await (const status of via.status()) {
      if (status.type === "disconnect") {
        // An attempt that fails is told as a further loss.
        if (up) lostAt = performance.now();
        up = false;
        if (!ended.signal.aborted) log.warn({ server: status.server }, LOST);
      } else if (status.type === "reconnect") {
        up = true;
        backAt = performance.now();
        log.info({ server: status.server, seconds: secondsOf(backAt - lostAt) }, "connected to NATS again");
        rounds.wake();
      } else if (status.type === "error") {
        log.warn({ err: status.error.message }, "NATS refuses something");
      }
    }
  }

  async function run(): Promise<void> {
    for (let told = false; !ended.signal.aborted; ) {
      try {
        connection = await connectNats(servers);
        if (ended.signal.aborted) return void (await connection.close());
        up = true;
        told = false;
        subscriptions.begin(connection);
        rounds.wake();
        void watch(connection);
        await connection.closed();
      } catch (error) {
        if (!told) log.warn({ err: (error as Error).message }, "NATS does not answer: trying again");
        told = true;
      }
      up = false;
      const wait = RETRY_MS.least + Math.random() * RETRY_MS.spread;
      await sleep(wait, undefined, { signal: ended.signal, ref: false }).catch(() => {});
    }
  }

  const running = run();
  return {
    publish(topic, items) {
      hearers.publish(topic, items);
      rounds.add(topic, items);
    },
    subscribe: (topic, hear, buckets) => hearers.add(topic, hear, buckets),
    healthy: () => up,
    async close() {
      await rounds.end();
      ended.abort();
      // A server that hangs must not hold a shutdown up.
      if (up)
        await Promise.race([connection?.flush().catch(() => {}), sleep(LAST_WORDS_MS, undefined, { ref: false })]);
      await connection?.close();
      await running;
    },
  };
}
