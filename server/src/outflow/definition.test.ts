import { expect, test } from "vitest";
import { destinationService, PATH, SECRET } from "../../test/support/services/destinations.ts";

const { it, ground, s3, house, toBucket, toHouse, create } = await destinationService();
const get = async (path: string) => (await it.call("GET", path)).body;

test("the test writes and deletes an object, or asks for the tables, and shows what the far end says", async () => {
  const { id } = await create(toBucket({}, { prefix: "try" }));
  const files = s3.files.size;
  const tried = async (of: string) => (await it.call("POST", `${PATH}/${of}/test`)).body;
  expect(await tried(id)).toMatchObject({ ok: true, error: null });
  expect(s3.files.size).toBe(files);
  s3.fails = 503;
  expect(await tried(id)).toMatchObject({ ok: false, error: "It answered 503: SlowDown" });
  s3.fails = undefined;
  const other = await create({
    ...toHouse(),
    settings: { url: house.url, database: "tidings", table_prefix: "t_", user: "tidings" },
  });
  expect((await tried(other.id)).error).toMatch(/Table tidings\.t_deliveries does not exist/);
  for (const one of [id, other.id]) await it.call("DELETE", `${PATH}/${one}`);
});

test("a destination that can't be right is refused, and changes nothing", async () => {
  const refused = async (body: object, pointer: string) => {
    const { status, body: answer } = await it.call("POST", PATH, { body });
    const found = answer.errors?.[0]?.pointer ?? answer.code;
    expect([status, found]).toEqual([pointer.startsWith("/") ? 400 : 422, pointer]);
  };
  const settings = toBucket().settings;
  const rows = (await get(PATH)).data.length;
  await refused(toBucket({ kind: "kafka" }), "/kind");
  await refused(toBucket({}, { bucket: "No" }), "/settings/bucket");
  await refused(toBucket({}, { prefix: "/x" }), "/settings/prefix");
  await refused(toBucket({}, { endpoint: "https://a:b@store.example" }), "/settings/endpoint");
  await refused({ ...toBucket(), settings: { ...settings, url: "http://x" } }, "/settings/url");
  await refused({ ...toHouse(), credentials: {} }, "/credentials/password");
  await refused({ ...toHouse(), settings: { ...toHouse().settings, database: "a;b" } }, "/settings/database");
  await refused(toBucket({ tables: [] }), "/tables");
  await refused(toBucket({ tables: ["people"] }), "/tables/0");
  await refused(toBucket({ interval_seconds: 0 }), "/interval_seconds");
  ground.config.allowPrivateNetwork = false;
  await refused(toBucket(), "address_not_allowed");
  ground.config.allowPrivateNetwork = true;
  expect((await get(PATH)).data.length).toBe(rows);
});

test("the credentials are never shown, and must be given again for another address", async () => {
  const made = await create(toBucket({ tables: ["events"] }));
  const shown = JSON.stringify([made, await get(PATH), await get(`/api/v1/audit?resource=${made.id}`)]);
  expect(shown).not.toContain(SECRET);
  const elsewhere = { ...toBucket().settings, endpoint: "https://store.example" };
  const moved = await it.call("PATCH", `${PATH}/${made.id}`, { body: { settings: elsewhere } });
  expect(moved.body.code).toBe("credentials_missing");
  const renamed = { ...toBucket().settings, prefix: "other" };
  const { etag = "" } = (await it.call("GET", `${PATH}/${made.id}`)).headers;
  const changed = await it.call("PATCH", `${PATH}/${made.id}`, {
    body: { settings: renamed },
    headers: { "if-match": etag },
  });
  expect([changed.status, changed.body.settings.prefix]).toEqual([200, "other"]);
  const late = await it.call("PATCH", `${PATH}/${made.id}`, { body: { name: "Late" }, headers: { "if-match": etag } });
  expect(late.status).toBe(412);
  for (let i = (await get(PATH)).data.length; i < 10; i++) await create(toBucket({ tables: ["events"] }));
  expect((await it.call("POST", PATH, { body: toBucket() })).body.code).toBe("limit_reached");
});
