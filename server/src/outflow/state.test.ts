import { expect, test } from "vitest";
import { testClock } from "../../test/support/service.ts";
import { destinationService, PASSWORD, PATH, type Row } from "../../test/support/services/destinations.ts";
import { until } from "../../test/support/wait.ts";
import { startDestinations } from "./streams/work.ts";

// What is told about a destination, and what ends its work for a time.

const clock = testClock();
const { it, ground, house, set, toBucket, toHouse, create, round, rounds, inBucket } = await destinationService(clock);

const get = async (path: string) => (await it.call("GET", path)).body;
const track = (person_id: string, eventName: string, properties: object = {}) =>
  it.call("POST", "/data-gateway/v1/track", { body: { person_id, eventName, properties } });
const inHouse = (table: string): Row[] => (house.tables[`tidings.${table}`] ?? []) as Row[];

test("a far end that fails is tried again later, says why without the password, and can be paused", async () => {
  const wrong = { ...toHouse(), credentials: { password: "another-password" } };
  const { id } = await create({ ...wrong, tables: ["events"] });
  await track("ada", "x");
  await rounds(1);
  const failing = await get(`${PATH}/${id}/state`);
  expect(failing).toMatchObject({
    status: "failing",
    streams: [{ failing_since: clock.now().toISOString(), rows_sent: 0 }],
  });
  expect(failing.streams[0].last_error).toMatch(
    /^It answered 516: Code: 516\. DB::Exception: tidings: Authentication failed/,
  );
  expect(JSON.stringify(failing)).not.toContain("another-password");
  const due = async () =>
    (
      await ground.db.query<{ s: number }>({
        text: "select extract(epoch from due_at - now())::float8 as s from export_cursors c join export_destinations d on d.id = c.destination_id where d.credentials is not null and failing_since is not null",
        values: [],
      })
    )[0]?.s ?? 0;
  expect(await due()).toBeGreaterThan(2);
  await it.call("PATCH", `${PATH}/${id}`, { body: { enabled: false } });
  await it.call("PATCH", `${PATH}/${id}`, { body: { credentials: { password: PASSWORD } } });
  const count = inHouse("events").length;
  await round();
  expect((await get(`${PATH}/${id}/state`)).status).toBe("paused");
  const back = await it.call("PATCH", `${PATH}/${id}`, { body: { enabled: true } });
  expect(back.body.enabled).toBe(true);
  await rounds(2);
  expect(await get(`${PATH}/${id}/state`)).toMatchObject({
    status: "ok",
    streams: [{ last_error: null, failing_since: null, rows_sent: 1 }],
  });
  expect(inHouse("events").length).toBeGreaterThan(count);
  await it.call("DELETE", `${PATH}/${id}`);
});

test("rows that retention may have removed before they were sent are told", async () => {
  const { id } = await create(toBucket({ tables: ["activity"] }, { prefix: "gap" }));
  await round();
  expect((await get(`${PATH}/${id}/state`)).streams[0].gap).toBeNull();
  await set(
    "update export_cursors set sent_until = now() - interval '1000 days' where destination_id in (select id from export_destinations where settings->>'prefix' = 'gap')",
  );
  await round();
  const [stream] = (await get(`${PATH}/${id}/state`)).streams;
  expect(Date.parse(stream.gap.from)).toBeLessThan(Date.parse(stream.gap.until));
  const metrics = await ground.metrics.registry.metrics();
  expect(metrics).toMatch(/tidings_export_rows_total\{table="events",kind="clickhouse"\} \d+/);
  await it.call("DELETE", `${PATH}/${id}`);
});

test("a stream of deliveries tells what the log lost, also where deliveries are kept for longer", async () => {
  const retention = { activity: 30, deliveries: 365 };
  await it.call("PATCH", "/api/v1/workspace", { body: { retention } });
  const { id } = await create(toBucket({ tables: ["deliveries"] }, { prefix: "longer" }));
  await round();
  expect((await get(`${PATH}/${id}/state`)).streams[0].gap).toBeNull();
  await set(
    "update export_cursors set sent_until = now() - interval '40 days' where destination_id in (select id from export_destinations where settings->>'prefix' = 'longer')",
  );
  await round();
  expect((await get(`${PATH}/${id}/state`)).streams[0].gap).not.toBeNull();
  await it.call("DELETE", `${PATH}/${id}`);
  await it.call("PATCH", "/api/v1/workspace", { body: { retention: {} } });
});

test("a worker streams by itself, for as long as it runs", async () => {
  const { id } = await create(toBucket({ tables: ["events"], interval_seconds: 1 }, { prefix: "work" }));
  const work = startDestinations(ground);
  await track("bob", "worked");
  await until(() => inBucket("events", "work/").some(({ name }) => name === "worked"), "the row in the bucket");
  await work.stop();
  await it.call("DELETE", `${PATH}/${id}`);
});
