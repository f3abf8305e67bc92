import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "../../src/platform/db/index.ts";
import { memberService } from "../support/members/members.ts";
import type { Answer } from "../support/service.ts";

// A migration adds columns while processes run. From then on PostgreSQL refuses a named statement whose answer would have one more
// ("cached plan must not change result type"), once on each connection, or for ever where transactions use it.

/** The named statements that the service has sent, with their last values. */
const named = new Map<string, pg.QueryConfig>();
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [statement] = args as [pg.QueryConfig | undefined];
  if (statement?.name) named.set(statement.name, statement);
  return Reflect.apply(query, this, args);
} as typeof query;

const { it, asOwner } = await memberService();
const gateway = "/data-gateway/v1";
const get = (path: string) => () => it.call("GET", path);
const send = (path: string, body: object) => it.call("POST", path, { body });
async function made(path: string, body: object) {
  const answer = await send(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

const ADA = { person_id: "ada", attributes: { email: "ada@example.com", phone: "+4915112345678" } };
await made(`${gateway}/identify`, ADA);
const { id: topic } = await made("/api/v1/topics", { name: "News", default: "subscribed" });
await made("/api/v1/transactionals", {
  name: "News",
  trigger_name: "news",
  channel: "email",
  subscription_preference: "subscribed",
  topic_id: topic,
  content: { from: "shop@example.com", subject: "Hello", body: "<p>Hello</p>" },
});
const { id: message } = await made("/api/v1/in-app-messages", {
  name: "Hello",
  render_type: "modal",
  body: "Hello {{person.email}}",
});
const { delivery_id } = await made(`/api/v1/in-app-messages/${message}/test-sends`, { person_id: "ada" });

let n = 0;
const email = (identifiers: object) => () =>
  send("/data-gateway/transactionals/email", { transactional_message_id: "news", identifiers });
const CALLS: Record<string, () => Promise<Answer>> = {
  // Keys that are known are not looked up each time.
  "a key that nobody has": () =>
    it.call("GET", `${gateway}/in-app/inbox?person_id=ada`, { key: `tid_sec_${String(n++).padStart(32, "0")}` }),
  "a session": () => asOwner("GET", "/session"),
  identify: () => send(`${gateway}/identify`, { ...ADA, attributes: { ...ADA.attributes, nth: n++ } }),
  "identify of somebody new": () => send(`${gateway}/identify`, { person_id: `new-${n++}` }),
  track: () => send(`${gateway}/track`, { person_id: "ada", eventName: "bought" }),
  "a device": () =>
    it.call("PUT", `${gateway}/devices`, { body: { person_id: "ada", token: "t", platform: "android" } }),
  sync: get(`${gateway}/in-app/messages/sync?person_id=ada`),
  "the inbox": get(`${gateway}/in-app/inbox?person_id=ada`),
  "an impression": () => send(`${gateway}/in-app/messages/${delivery_id}/impression`, { person_id: "ada" }),
  "an email by address": email({ email: "ada@example.com" }),
  "an email by id": email({ id: "ada" }),
  "a person": get("/api/v1/people/ada"),
  "the log of a person": get("/api/v1/people/ada/activity"),
  "subscriptions of a person": get("/api/v1/people/ada/subscriptions"),
  ...Object.fromEntries(
    ["people", "deliveries", "events", "topics", "transactionals", "in-app-messages", "suppressions", "campaigns"].map(
      (name) => [name, get(`/api/v1/${name}`)],
    ),
  ),
};

/** Makes each call, and returns the answers that are no success, by the call. */
async function failures(): Promise<Record<string, number>> {
  const all: Record<string, number> = {};
  for (const [name, call] of Object.entries(CALLS)) all[name] = (await call()).status;
  return Object.fromEntries(Object.entries(all).filter(([, status]) => status >= 300));
}

/** Sends each named statement on this connection, changes nothing, and returns the names of those that PostgreSQL refuses for their columns. */
async function refused(client: pg.Client): Promise<string[]> {
  const names: string[] = [];
  await client.query("begin");
  for (const [name, statement] of named) {
    await client.query("savepoint before");
    await client.query(statement).catch(({ code }) => code === "0A000" && names.push(name));
    await client.query("rollback to before");
  }
  await client.query("rollback");
  return names;
}

test("a migration that adds a column to each table fails no call of a process that runs", async () => {
  expect(await failures()).toEqual({ "a key that nobody has": 401 });
  const client = new pg.Client(it.databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  expect(await refused(client)).toEqual([]);
  expect(named.size).toBeGreaterThan(20);
  const { db } = it.service.ground;
  const tables = await db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  );
  for (const { name } of tables)
    await db.execute({ text: `alter table "${name}" add column added_later integer`, values: [] });
  expect(await refused(client)).toEqual([]);
  expect(await failures()).toEqual({ "a key that nobody has": 401 });
});
