import pg from "pg";
import { beforeEach, expect, inject, test } from "vitest";
import { sql } from "../../src/platform/db/index.ts";
import { personKey } from "../../src/workspaces/index.ts";
import { inShards, NODE_REFUSES } from "../support/database/citus.ts";
import { testDatabase } from "../support/database.ts";
import { type Answer, testService } from "../support/service.ts";

// While a node of a cluster is away, the calls about the people of the others go on (docs/citus.md). To stop a node would disturb the other
// test files, so Citus tells instead which nodes it asks: each connection of the service gets a notice for each command that goes to one.

const databaseUrl = await testDatabase();
if (inShards) await tellNodes(databaseUrl);
const it = await testService({ databaseUrl });

/** Lets each later connection to a database get the notices. */
async function tellNodes(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  for (const setting of ["citus.log_remote_commands = on", "client_min_messages = notice"])
    await client.query(`alter database ${name} set ${setting}`);
  await client.end();
}

/** The ports of the nodes that were asked. */
const asked = new Set<string>();
const { emit } = pg.Client.prototype;
pg.Client.prototype.emit = function (this: pg.Client, event: string, ...args: unknown[]) {
  const [notice] = args as [{ detail?: string } | undefined];
  const port = event === "notice" && /^on server \S+:(\d+)/.exec(notice?.detail ?? "")?.[1];
  if (port) asked.add(port);
  return Reflect.apply(emit, this, [event, ...args]);
} as typeof emit;

const PERSON = "ada";
const gateway = "/data-gateway/v1";
const post = (path: string, body: object) => (): Promise<Answer> => it.call("POST", path, { body });
const get = (path: string) => (): Promise<Answer> => it.call("GET", path);

/** Returns the port of the node that has a person. */
async function nodeOf(personId: string): Promise<string> {
  const [row] = await it.service.ground.db.query<{ port: number }>(sql`
    select nodeport as port from pg_dist_shard_placement
    where shardid = get_shard_id_for_distribution_column('people', ${personKey(it.workspaceId, personId)}::uuid)`);
  return String(row?.port);
}

/** Reports that a delivery of the person was shown. */
async function impression(): Promise<Answer> {
  const message = { name: "Test", render_type: "modal", body: "Hello" };
  const { body } = await it.call("POST", "/api/v1/in-app-messages", { body: message });
  const sent = await it.call("POST", `/api/v1/in-app-messages/${body.id}/test-sends`, { body: { person_id: PERSON } });
  asked.clear();
  const items = [{ delivery_id: sent.body.delivery_id, type: "impression", event_id: "e" }];
  return it.call("POST", `${gateway}/in-app/messages/interactions`, { body: { person_id: PERSON, items } });
}

beforeEach(async () => {
  const attributes = { email: "ada@example.com" };
  await it.call("POST", `${gateway}/identify`, { body: { person_id: PERSON, attributes } });
  asked.clear();
});

test.skipIf(!inShards).each([
  ["a sync", get(`${gateway}/in-app/messages/sync?person_id=${PERSON}`)],
  ["the inbox", get(`${gateway}/in-app/inbox?person_id=${PERSON}`)],
  ["an event", post(`${gateway}/track`, { person_id: PERSON, eventName: "bought" })],
  ["identify", post(`${gateway}/identify`, { person_id: PERSON, attributes: { plan: "pro" } })],
  ["the log of a person", get(`/api/v1/people/${PERSON}/activity`)],
  ["an impression", () => impression()],
  ["a person", get(`/api/v1/people/${PERSON}`)],
  [
    "an email by id",
    post("/data-gateway/transactionals/email", {
      identifiers: { id: PERSON },
      from: "shop@example.com",
      subject: "Hello",
      body: "Hello",
    }),
  ],
])("%s asks the node of the person alone", async (_what, call) => {
  expect((await call()).status).toBeLessThan(300);
  expect([...asked]).toEqual([await nodeOf(PERSON)]);
});

test.skipIf(!inShards).each([
  ["a list of people", get("/api/v1/people?limit=10")],
  // Another person may have its token.
  [
    "the registration of a device",
    () => it.call("PUT", `${gateway}/devices`, { body: { person_id: PERSON, token: "t", platform: "android" } }),
  ],
])("%s asks each node", async (_what, call) => {
  expect((await call()).status).toBeLessThan(300);
  const [, ...workers] = inject("databases").nodes;
  expect([...asked].toSorted()).toEqual(workers.map((url) => new URL(url).port).toSorted());
});

// A trigger answers for one person as the coordinator does for all people of a node that is away. Shards can't have triggers.
test.skipIf(inShards)(
  "of calls that share a statement only those about people of a node that is away fail",
  async () => {
    const fail = (table: string) =>
      it.service.ground.db.execute({
        text: `create or replace function away() returns trigger language plpgsql as $$ begin ${NODE_REFUSES} end $$;
      create trigger away before insert on ${table} for each row when (new.person_key = '${personKey(it.workspaceId, PERSON)}')
        execute function away()`,
        values: [],
      });
    await fail("events");
    await fail("deliveries");
    const people = [...Array(20).keys()].map((n) => (n === 10 ? PERSON : `person-${n}`));
    const identified = people.map((id) =>
      it.call("POST", `${gateway}/identify`, { body: { person_id: id, attributes: { email: `${id}@example.com` } } }),
    );
    await Promise.all(identified);
    const email = { from: "shop@example.com", subject: "Hello", body: "Hello" };
    for (const call of [
      (id: string) => post(`${gateway}/track`, { person_id: id, eventName: "bought" })(),
      (id: string) => post("/data-gateway/transactionals/email", { identifiers: { id }, ...email })(),
    ]) {
      const answers = await Promise.all(people.map(call));
      const failed = people.filter((_, i) => (answers[i] as Answer).status >= 300);
      expect(failed).toEqual([PERSON]);
      expect(answers[10]?.status).toBe(503);
    }
    const items = people.map((id) => ({ type: "track", person_id: id, eventName: "bought" }));
    expect((await post(`${gateway}/batch`, { items })()).status).toBe(503);
  },
);
