import { mkdtemp, rm } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { to as copyTo } from "pg-copy-streams";
import { callApi } from "../../stage/api.ts";
import { typeId } from "../../load/ids.ts";
import type { Load } from "../../load/load.ts";
import type { RequestsOf } from "../../load/requests.ts";
import type { Stage } from "../../stage/stage.ts";
import { ORDER_CONFIRMATION } from "../trigger.ts";
import type { Work } from "./spent.ts";

/** The paths that data takes through the service, each over HTTP. Each returns how many operations it did, or what does them. */

export interface On {
  stage: Stage;
  load: Load;
  people: number;
}

const CONNECTIONS = 32;
const POLL_MS = 200;

async function requested({ stage, load }: Omit<On, "people">, count: number, requests: RequestsOf, expect = 200) {
  const plan = { port: stage.service.port, connections: CONNECTIONS, seconds: 3_600, seed: count };
  const done = await load.run({ ...plan, count, expect, requests });
  return done.requests;
}

/** Events of known people, 100 in a request. */
export const tracked = async (on: On, count: number): Promise<number> =>
  (await requested(on, count / 100, { kind: "batch", key: on.stage.secretKey, people: on.people, events: 100 })) * 100;

/** Syncs of people, each at another time. */
export const synced = (on: On, count: number): Promise<number> =>
  requested(on, count, { kind: "sync", key: on.stage.publicKey, people: on.people });

/** In-app broadcasts to everyone. Their content has Liquid, so each delivery keeps its own. */
export async function queued({ stage, people }: On, broadcasts: number): Promise<number> {
  for (let i = 0; i < broadcasts; i++) {
    const message = await callApi<{ id: string }>(stage, "/api/v1/in-app-messages", {
      name: `Capacity ${performance.now()}`,
      render_type: "modal",
      title: "An offer for you",
      body: "Hello {{person.first_name}}, an offer is waiting for you in the shop in {{person.city}}. It is valid until Sunday.",
      cta: { label: "Open", action: "deep_link", value: "app://offers" },
      persistence: { mode: "persistent_until_dismissed", max_impressions: null, min_interval: null },
    });
    const body = { name: "Capacity", channel: "in_app", audience: { all: [] }, message_id: message.id };
    const { id } = await callApi<{ id: string }>(stage, "/api/v1/broadcasts", body);
    await callApi(stage, `/api/v1/broadcasts/${id}/send`, {});
    for (let finished = null; finished === null; ) {
      await sleep(POLL_MS);
      finished = (await callApi<{ finished_at: string | null }>(stage, `/api/v1/broadcasts/${id}`)).finished_at;
    }
  }
  return broadcasts * people;
}

const WITHOUT = { impression: "impressions = 0", click: "clicked_at is null", dismiss: "dismissed_at is null" };

/**
 * Chooses live deliveries at random, each another one, which reads all of them. Returns what interacts with them. A delivery gets each type once;
 * the next type takes the same deliveries, because the order is the same.
 */
export async function interactions(on: On, type: "impression" | "click" | "dismiss", count: number): Promise<Work> {
  const folder = await mkdtemp(join(tmpdir(), "tidings-interactions-"));
  const file = join(folder, "deliveries");
  const rows = on.stage.db.query(
    copyTo(
      `copy (select p.person_id || ' ' || d.id from deliveries d join people p using (person_key)
         where d.channel = 'in_app' and d.live and ${WITHOUT[type]} order by md5(d.id::text) limit ${count}) to stdout`,
    ),
  );
  await pipeline(rows, namedOnTheWire, createWriteStream(file));
  return () =>
    requested(on, count, { kind: "interaction", key: on.stage.publicKey, type, file }).finally(() =>
      rm(folder, { recursive: true, force: true }),
    );
}

/** Turns "person-7 UUID" into "person-7 dlv_...", as a client knows the delivery. */
async function* namedOnTheWire(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    yield lines.map((line) => line.replace(/ .*/, (uuid) => ` ${typeId("dlv", uuid.trim())}\n`)).join("");
  }
}

/** Ends all live deliveries: the time at which they expire comes. */
export async function expired({ stage: { db } }: On): Promise<Work> {
  const { rowCount } = await db.query("update deliveries set expires_at = now() + interval '3 s' where live");
  return async () => {
    for (let live = 1; live > 0; ) {
      await sleep(POLL_MS);
      const { rows } = await db.query("select count(*)::int as live from (select from deliveries where live limit 1)");
      live = rows[0].live;
    }
    return rowCount ?? 0;
  };
}

/** Transactional messages, from the request until the provider has them all. */
export async function sent(on: On, channel: "email" | "sms", count: number): Promise<number> {
  const { db } = on.stage;
  const path = `/data-gateway/transactionals/${channel}`;
  const { trigger_name: name } = channel === "sms" ? SMS : ORDER_CONFIRMATION;
  const requests = { kind: "trigger", path, key: on.stage.secretKey, people: on.people, name } as const;
  const to = channel === "sms" ? { to: "+4915112345678" } : {};
  await requested(on, count, { ...requests, ...to }, 202);
  for (let left = 1; left > 0; ) {
    await sleep(POLL_MS);
    const { rows } = await db.query("select count(*)::int as left from deliveries where due_at is not null");
    left = rows[0].left;
  }
  return count;
}

export const SMS = {
  name: "Capacity: text message",
  trigger_name: "capacity_sms",
  subscription_preference: "all",
  channel: "sms",
  content: { body: "Your order {{trigger.order}} over {{trigger.total}} EUR is on its way." },
};
