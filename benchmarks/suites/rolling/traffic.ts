import { setTimeout as sleep } from "node:timers/promises";
import { personId } from "../../load/ids.ts";
import { type RetryingClient, retryingClient } from "../../load/retrying.ts";
import type { Keys } from "../../stage/service.ts";

/** What was answered 2xx, by kind: recipients of emails, ids of in-app deliveries, ids of events. */
export interface Acknowledged {
  /** With the time of the answer (performance.now). */
  emails: Map<string, number>;
  inApp: Set<string>;
  events: Set<string>;
}

export interface Traffic {
  acknowledged: Acknowledged;
  client: RetryingClient;
  /** Sends nothing more, and waits for the answers under way. */
  stop(): Promise<void>;
}

interface Options {
  ports: number[];
  keys: Keys;
  people: number;
  /** An in-app message to queue. */
  messageId: string;
  /** The pause of a client between two calls. */
  pauseMs: number;
}

export const EVENT = "rolled";

/** Sends emails, events and in-app messages, each with what makes its repeat safe, and syncs, from clients that wait for each answer. */
export function startTraffic({ ports, keys, people, messageId, pauseMs }: Options): Traffic {
  const client = retryingClient(ports);
  const acknowledged: Acknowledged = { emails: new Map(), inApp: new Set(), events: new Set() };
  let [next, over] = [0, false];
  const { secretKey: secret, publicKey } = keys;
  const post = (path: string, body: object, key: string, idempotencyKey?: string) =>
    client.call({ method: "POST", path, body, key, ...(idempotencyKey !== undefined && { idempotencyKey }) });

  const kinds = {
    async email(n: number) {
      const email = `r${n}@example.test`;
      const body = {
        identifiers: { email },
        from: "shop@example.com",
        subject: "S",
        body: "<p>Your order is on its way.</p>",
      };
      if (await post("/data-gateway/transactionals/email", body, secret, email))
        acknowledged.emails.set(email, performance.now());
    },
    async inApp(n: number) {
      const path = `/api/v1/in-app-messages/${messageId}/test-sends`;
      const answer = await post(path, { person_id: personId(n % people) }, secret, `in-app ${n}`);
      if (answer) acknowledged.inApp.add((JSON.parse(answer.text) as { delivery_id: string }).delivery_id);
    },
    async event(n: number) {
      const id = `e${n}`;
      const event = { person_id: personId(n % people), eventName: EVENT, event_id: id, properties: { event_id: id } };
      if (await post("/data-gateway/v1/track", event, secret)) acknowledged.events.add(id);
    },
    async sync(n: number) {
      const path = `/data-gateway/v1/in-app/messages/sync?limit=3&person_id=${personId(n % people)}`;
      await client.call({ method: "GET", path, key: publicKey });
    },
  };

  async function lane(kind: keyof typeof kinds): Promise<void> {
    while (!over) {
      await kinds[kind](next++);
      await sleep(pauseMs);
    }
  }
  const lanes = (["email", "email", "email", "inApp", "event", "sync", "sync", "sync"] as const).map(lane);
  return {
    acknowledged,
    client,
    async stop() {
      over = true;
      await Promise.all(lanes);
      client.close();
    },
  };
}
