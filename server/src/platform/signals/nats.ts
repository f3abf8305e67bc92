import { setTimeout as sleep } from "node:timers/promises";
import { connect, type NatsConnection, type Subscription } from "@nats-io/transport-node";
import type { NatsServers } from "../config.ts";
import type { Log } from "../log.ts";
import { bucketOf } from "./buckets.ts";
import { Hearers } from "./hearers.ts";
import { packed, type Waiting } from "./notices.ts";
import { Rounds } from "./rounds.ts";
import type { Signals } from "./signals.ts";

/** Far below the 1 MiB at which a nats-server closes the connection. */
const MOST_BYTES = 60_000;
/** A server that hangs, rather than ends, is left after three pings without an answer. */
const PING_MS = 1_000;
/** Between two attempts at the same server; another of the cluster is tried at once. */
const AGAIN_MS = { least: 250, spread: 250 };
const CONNECT_MS = 2_000;
const LAST_WORDS_MS = 1_000;

/** `tidings.<topic>.<bucket>`: who wants all of a topic subscribes with a wildcard. */
const subjectOf = (topic: string, bucket: string): string => `tidings.${topic}.${bucket}`;

/**
 * One connection to any server of the cluster. Never gives up again once it is there; the first attempt may fail.
 * @throws Error where no server answers within 2 s, or the credentials are refused
 */
export function connectNats({ tls, ...servers }: NatsServers): Promise<NatsConnection> {
  return connect({
    ...servers,
    ...(tls && { tls: {} }),
    name: "tidings",
    // Our own process is told directly.
    noEcho: true,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    // Credentials may be changed on the servers one after the other: a refusal now is none in a minute.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: AGAIN_MS.least,
    reconnectJitter: AGAIN_MS.spread,
    reconnectJitterTLS: AGAIN_MS.spread,
    noAsyncTraces: true,
  });
}

/**
 * Signals over NATS. Unlike over LISTEN/NOTIFY the servers keep away what nobody here wants: a node with ten streams
 * hears of ten buckets. What is published while no server answers waits, bounded, for the next one.
 */
export function natsSignals(servers: NatsServers, log: Log): Signals {
  const hearers = new Hearers(subscribe);
  const rounds = new Rounds(() => up, send);
  const ended = new AbortController();
  const asked = new Map<string, Subscription>();
  let connection: NatsConnection | undefined;
  let up = false;

  /** Makes what is asked of the servers what the hearers of this topic want. */
  function subscribe(topic: string): void {
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
          log.error({ err: error.message, subject }, "NATS does not let this node hear signals");
          if (asked.get(subject) === subscription) asked.delete(subject);
        } else {
          hearers.deliver(topic, message.string().split(" "));
        }
      },
    });
    return subscription;
  }

  async function send(waiting: Waiting[]): Promise<void> {
    try {
      for (const notice of packed(waiting, ({ topic, item }) => subjectOf(topic, bucketOf(item)), MOST_BYTES)) {
        const end = notice.indexOf(" ");
        connection?.publish(notice.slice(0, end), notice.slice(end + 1));
      }
    } catch (error) {
      log.warn({ err: (error as Error).message }, "signals could not be sent to the other nodes");
    }
  }

  async function watch(via: NatsConnection): Promise<void> {
    for await (const status of via.status()) {
      if (status.type === "disconnect") {
        up = false;
        if (!ended.signal.aborted) log.warn({ server: status.server }, "the connection to NATS was lost");
      } else if (status.type === "reconnect") {
        up = true;
        log.info({ server: status.server }, "connected to NATS again");
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
        asked.clear();
        for (const topic of hearers.topics()) subscribe(topic);
        rounds.wake();
        void watch(connection);
        await connection.closed();
      } catch (error) {
        if (!told) log.warn({ err: (error as Error).message }, "NATS does not answer: trying again");
        told = true;
      }
      up = false;
      const wait = AGAIN_MS.least + Math.random() * AGAIN_MS.spread;
      await sleep(wait, undefined, { signal: ended.signal, ref: false }).catch(() => {});
    }
  }

  const running = run();
  return {
    publish(topic, items) {
      if (items.length === 0) return;
      hearers.deliver(topic, items);
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
