import type { Log } from "../log.ts";
import { Hearers } from "./hearers.ts";
import { Listener } from "./listener.ts";
import { packed, type Waiting } from "./notices.ts";
import { Rounds } from "./rounds.ts";
import type { Node, Signals } from "./signals.ts";

const CHANNEL = "tidings";
/** PostgreSQL refuses a payload of 8,000 bytes. */
const MOST_BYTES = 7_900;
/** Signals over LISTEN/NOTIFY on a connection of their own. */
export function postgresSignals(url: string, log: Log, node: Node): Signals {
  const hearers = new Hearers(node.other);
  const rounds = new Rounds(() => listener.client !== undefined, send);
  const listener = new Listener({
    url,
    log,
    channel: CHANNEL,
    opened: () => rounds.wake(),
    heard(payload) {
      const [from, topic, ...items] = payload.split(" ");
      if (from !== node.name && topic) hearers.deliver(topic, items);
    },
  });

  async function send(waiting: Waiting[]): Promise<void> {
    try {
      await listener.client?.query("select pg_notify($1, payload) from unnest($2::text[]) as payload", [
        CHANNEL,
        packed(waiting, ({ topic }) => `${node.name} ${topic}`, MOST_BYTES),
      ]);
    } catch (error) {
      log.warn({ err: (error as Error).message }, "signals could not be sent to the other nodes");
    }
  }

  return {
    publish(topic, items) {
      hearers.publish(topic, items);
      rounds.add(topic, items);
    },
    subscribe: (topic, hear, buckets) => hearers.add(topic, hear, buckets),
    healthy: () => listener.client !== undefined,
    async close() {
      listener.keepNoMore();
      await rounds.end();
      await listener.close();
    },
  };
}
