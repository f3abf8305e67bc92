import { parquetReadObjects } from "hyparquet";
import pg from "pg";
import { expect, test } from "vitest";
import { testClock } from "../../test/support/service.ts";
import { destinationService, newest, PATH, type Row } from "../../test/support/services/destinations.ts";
import { atEnd, until } from "../../test/support/wait.ts";
import type { Queries } from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";
import { readBatch } from "./streams/batch.ts";
import type { StreamPlace } from "./streams/place.ts";
import { columns } from "./far-ends/columns.ts";

const clock = testClock();
const { it, ground, s3, house, set, toBucket, toHouse, create, settled, round, rounds, inBucket } =
  await destinationService(clock);

const get = async (path: string, key = it.secretKey) => (await it.call("GET", path, { key })).body;
const track = (person_id: string, eventName: string, properties: object = {}) =>
  it.call("POST", "/data-gateway/v1/track", { body: { person_id, eventName, properties } });
const message = (
  await it.call("POST", "/api/v1/in-app-messages", { body: { name: "m", render_type: "modal", body: "b" } })
).body;
const sendInApp = async (person_id: string) =>
  (await it.call("POST", `/api/v1/in-app-messages/${message.id}/test-sends`, { body: { person_id } })).body
    .delivery_id as string;
const interact = (id: string, what: string, person_id: string) =>
  it.call("POST", `/data-gateway/v1/in-app/messages/${id}/${what}`, { body: { person_id } });
const sendEmail = () =>
  it.call("POST", "/data-gateway/transactionals/email", {
    body: { identifiers: { email: "ada@example.test" }, from: "a@acme.test", subject: "S", body: "B" },
  });

/** The tables as the API shows them. */
async function tables(): Promise<Record<"deliveries" | "activity" | "events", Row[]>> {
  const deliveries = (await get("/api/v1/deliveries?limit=200")).data;
  const feed: Row[] = (await get("/api/v1/events?limit=200")).data;
  const events: Row[] = [];
  for (const person of ["ada", "bob"])
    events.push(...((await get(`/api/v1/people/${person}/events?limit=200`)).data ?? []));
  return {
    deliveries,
    activity: feed.map(({ id, type, timestamp, data }) => ({ id, type, at: timestamp, ...data })),
    events: events.map(({ ts, ...event }) => ({ ...event, at: ts })),
  };
}

const NUMBERED: Row = { version: expect.any(Number) };
/** Compares what a far end has, by key, with the tables. */
async function expectAll(of: (table: "deliveries" | "activity" | "events") => Row[]): Promise<void> {
  const now = await tables();
  for (const table of ["deliveries", "activity", "events"] as const) {
    const there = newest(of(table));
    expect(there.map(({ id }) => id)).toEqual(now[table].map(({ id }) => id).toSorted());
    for (const row of there) {
      expect(Object.keys(row)).toEqual(Object.keys(columns[table]));
      const own = now[table].find(({ id }) => id === row.id);
      const shared = Object.fromEntries(Object.keys(row).flatMap((name) => (name in own ? [[name, own[name]]] : [])));
      expect(row).toMatchObject({ ...shared, ...(table === "deliveries" && NUMBERED) });
    }
  }
}
const parsed = (row: Row) => ({
  ...row,
  ...(row.details && { details: JSON.parse(row.details) }),
  ...(row.properties && { properties: JSON.parse(row.properties) }),
});
const inHouse = (table: string): Row[] => (house.tables[`tidings.${table}`] as Row[]).map(parsed);

await track("ada", "bought", { price: 3, "a\nb": ["é", null] });
const first = await sendInApp("ada");
await sendEmail();
// As an event from before the column was added.
await set("update events set txid = null");

test("from the beginning, each table comes whole, to a bucket and to ClickHouse", async () => {
  await create(toBucket({ from: "beginning" }, { prefix: "all/tidings" }));
  await create(toHouse({ from: "beginning" }));
  await rounds(3);
  await expectAll((table) => inBucket(table, "all/tidings/"));
  await expectAll(inHouse);
  const day = clock.now().toISOString().slice(0, 10);
  expect([...s3.files.keys()].toSorted()[0]).toMatch(
    new RegExp(`^all/tidings/activity/${day}/0000000000-\\w{16}\\.ndjson\\.gz$`),
  );
});

test("later states of a delivery come with a larger version, and what nothing changed is not sent again", async () => {
  const before = s3.files.size;
  await rounds(2);
  expect(s3.files.size).toBe(before);
  await interact(first, "impression", "ada");
  await interact(first, "click", "ada");
  await track("bob", "viewed");
  await rounds(2);
  const states = inBucket("deliveries", "all/tidings/").filter(({ id }) => id.endsWith(first.slice(4)));
  expect(states.length).toBeGreaterThan(1);
  expect(newest(states)[0].clicked_at).not.toBeNull();
  await expectAll((table) => inBucket(table, "all/tidings/"));
  await expectAll(inHouse);
});

test("whatever order transactions commit in, and whatever is lost on the way, no row is lost and none comes twice", async () => {
  const clients = await Promise.all(
    [1, 2, 3].map(async () => {
      const client = new pg.Client({ connectionString: it.databaseUrl });
      await client.connect();
      atEnd(() => client.end());
      return client;
    }),
  );
  const key = (
    await ground.db.query<{ person_key: string }>({
      text: "select person_key from people where person_id = 'ada'",
      values: [],
    })
  )[0]?.person_key;
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    // The low bits of such a series alternate.
    return Math.floor(seed / 65_536) % most;
  };
  const open = new Set<pg.Client>();
  for (let step = 0; step < 40; step++) {
    const client = clients[random(3)] as pg.Client;
    if (!open.has(client)) {
      await client.query("begin");
      open.add(client);
    }
    await client.query(
      "insert into events (person_key, id, workspace_id, name, ts, received_at) values ($1, $2, $3, 'odd', now(), now())",
      [key, newId(), it.workspaceId],
    );
    await client.query(
      "insert into activity (person_key, id, workspace_id, type, at) values ($1, $2, $3, 'person.identified', now())",
      [key, newId(), it.workspaceId],
    );
    if (random(2) === 0) {
      await client.query(random(5) === 0 ? "rollback" : "commit");
      open.delete(client);
    }
    if (random(3) > 0) continue;
    const fault = random(5);
    if (fault === 0) s3.fails = 503;
    if (fault === 1) s3.hangsUp = true;
    if (fault === 2) house.faults.push("lost", "error");
    // A process that stops: what it has begun is made by another one.
    await round(fault === 3 ? AbortSignal.abort() : undefined);
    s3.fails = undefined;
  }
  for (const client of open) await client.query("commit");
  s3.hangsUp = false;
  await rounds(4);
  await expectAll((table) => inBucket(table, "all/tidings/"));
  await expectAll(inHouse);
  for (const table of ["activity", "events"]) {
    expect(new Set(inBucket(table, "all/tidings/").map(({ id }) => id)).size).toBe(
      inBucket(table, "all/tidings/").length,
    );
    expect(new Set(inHouse(table).map(({ id }) => id)).size).toBe(inHouse(table).length);
  }
  expect((await tables()).events.length).toBeGreaterThan(20);
});

test("a stream that begins now has nothing from before, also of transactions that were open", async () => {
  const client = new pg.Client({ connectionString: it.databaseUrl });
  await client.connect();
  await client.query("begin");
  await client.query("select pg_current_xact_id()");
  const { id } = await create(toBucket({ tables: ["events"] }, { prefix: "now" }));
  await track("ada", "after");
  await round();
  expect(inBucket("events", "now/")).toEqual([]);
  clock.forward(90_000);
  await round();
  const [stream] = (await get(`${PATH}/${id}/state`)).streams;
  // The oldest transaction holds the stream, which tells so.
  expect(stream).toMatchObject({ phase: "log", rows_sent: 0 });
  expect(stream.lag_seconds).toBeGreaterThanOrEqual(90);
  await client.query("commit");
  await client.end();
  await rounds(2);
  expect(inBucket("events", "now/").map(({ name }) => name)).toEqual(["after"]);
  const after = await until(async () => {
    await round();
    const state = await get(`${PATH}/${id}/state`);
    return state.lag_seconds === 0 && state;
  }, "a stream that has all");
  expect(after).toMatchObject({
    status: "ok",
    lag_seconds: 0,
    streams: [{ rows_sent: 1, batches_sent: 1, gap: null }],
  });
  await it.call("DELETE", `${PATH}/${id}`);
});

test("a replica that lags makes no stream skip a row", async () => {
  const client = new pg.Client({ connectionString: it.databaseUrl });
  await client.connect();
  // What a standby shows that is behind: an older state.
  await client.query("begin isolation level repeatable read");
  await client.query("select pg_current_snapshot()");
  await track("ada", "late");
  await settled();
  const behind: Queries = {
    distributed: false,
    query: async (statement) => (await client.query(statement)).rows,
    execute: async () => 0,
  };
  const asked = {
    workspaceId: it.workspaceId,
    table: "events" as const,
    from: { log: { txid: "0", id: "00000000-0000-0000-0000-000000000000" } },
  };
  const both = { lagging: behind, primary: ground.db };
  const read = async (of: typeof both, range: Pick<Parameters<typeof readBatch>[1], "to"> & { from?: StreamPlace }) => {
    const rows: Row[] = [];
    const batch = await readBatch(of, { ...asked, ...range }, { add: async (some) => rows.push(...some) });
    return { rows, to: batch?.to, late: rows.some(({ name }) => name === "late") };
  };
  const whole = await read({ ...both, lagging: ground.db }, { to: undefined });
  const old = await read(both, { to: undefined });
  expect([whole.late, old.late]).toEqual([true, false]);
  // The stream goes on from where the replica was, and a batch that was planned is read where all of it is.
  expect((await read({ ...both, lagging: ground.db }, { from: old.to as StreamPlace, to: undefined })).late).toBe(true);
  expect((await read(both, { to: whole.to })).rows).toEqual(whole.rows);
  await client.end();
});

test("Parquet files have the same rows, with their types", async () => {
  const { id } = await create(toBucket({ from: "beginning" }, { prefix: "parquet", format: "parquet" }));
  await rounds(3);
  for (const table of ["deliveries", "activity", "events"] as const) {
    const rows: Row[] = [];
    for (const [name, { body, type }] of s3.files) {
      if (!name.startsWith(`parquet/${table}/`)) continue;
      expect([name.endsWith(".parquet"), type]).toEqual([true, "application/vnd.apache.parquet"]);
      rows.push(...(await parquetReadObjects({ file: new Uint8Array(body).buffer })));
    }
    const text = newest(rows).map((row) => ({ ...row, version: 1n }));
    const same = newest(inBucket(table, "all/tidings/")).map((row) => ({ ...row, version: 1 }));
    const plain = (value: unknown) =>
      JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? Number(one) : one)));
    expect(plain(text.map(({ version, ...row }) => row))).toEqual(plain(same.map(({ version, ...row }) => row)));
    expect(
      rows.every(
        ({ queued_at = new Date(), version = 1n }) => queued_at instanceof Date && typeof version === "bigint",
      ),
    ).toBe(true);
  }
  await it.call("DELETE", `${PATH}/${id}`);
});

test("an erasure writes nothing to the stores: a message that it cancels stays queued there", async () => {
  await track("eve", "came");
  const sent = await sendInApp("eve");
  await rounds(2);
  expect((await it.call("DELETE", "/api/v1/people/eve")).status).toBe(204);
  await rounds(2);
  const there = newest(inBucket("deliveries", "all/tidings/")).filter(({ id }) => id === sent);
  expect(there).toMatchObject([{ status: "queued", person_id: "eve" }]);
  expect(await get(`/api/v1/deliveries/${sent}`)).toMatchObject({ status: "canceled", reason: "erased" });
});
