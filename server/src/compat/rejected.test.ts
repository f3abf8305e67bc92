import { expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";

const it = await testService();
const compat = (path: string, body: unknown, method: "POST" | "PUT" = "POST") =>
  it.call(method, `/compat${path}`, { body });
const noted = (person: string, count: number) =>
  until(async () => {
    const found = (await it.call("GET", `/api/v1/ingestion/rejected?person_id=${person}`)).body.data;
    return found.length >= count && found;
  }, `${count} refused of ${person}`);
const all = (path: string, code: string) =>
  until(async () => {
    const found = (await it.call("GET", `/api/v1/ingestion/rejected?code=${code}`)).body.data;
    const here = found.filter((row: { route: string }) => row.route === `POST /compat${path}`);
    return here.length > 0 && here;
  }, `${code} of ${path}`);

test("data of Segment's clients that is left out is in the log of refused data, although the answers don't say so", async () => {
  const batch = [
    { type: "track", userId: "ada", event: "Taken" },
    { type: "track", userId: "ada" },
    { type: "identify", userId: "ada", traits: { phone: "call me", plan: "pro" } },
    { type: "track", anonymousId: "x", event: "Nobody's" },
    { type: "alias", userId: "ada", previousId: "x" },
    { type: "screen", userId: "ada", name: "[object Object]" },
    { type: "poke", userId: "ada" },
  ];
  expect((await compat("/segment/v1/batch", { batch })).body).toEqual({ success: true });
  const found = await noted("ada", 5);
  expect(found.map((row: { item: number; code: string }) => `${row.item} ${row.code}`).sort()).toEqual([
    "1 invalid",
    "2 trait",
    "4 alias",
    "5 screen_name",
    "6 unknown_type",
  ]);
  const reasons = Object.fromEntries(found.map((row: { code: string; reason: string }) => [row.code, row.reason]));
  expect(reasons).toMatchObject({
    invalid: expect.stringContaining("eventName"),
    trait: expect.stringContaining("phone"),
  });
  expect(await all("/segment/v1/batch", "anonymous")).toMatchObject([{ item: 3, person_id: null }]);
  expect((await compat("/segment/v1/batch", { batch: "none" })).status).toBe(400);
  expect(await all("/segment/v1/batch", "invalid_request")).toMatchObject([{ data: { batch: "none" } }]);
});

test("data of Customer.io's clients that is left out is in the log of refused data, with its index in a batch", async () => {
  expect((await compat("/customerio/api/v1/customers/bob", { email: "no address" }, "PUT")).status).toBe(400);
  const [first] = await noted("bob", 1);
  expect(first).toMatchObject({ route: "PUT /compat/customerio/api/v1/customers/:id", code: "invalid_request" });
  const operations = [
    { type: "person", action: "identify", identifiers: { id: "bob" }, attributes: { phone: "call me" } },
    { type: "object", action: "identify", identifiers: { id: "bob" } },
    { type: "person", action: "event", name: "Nobody's" },
    { type: "person", action: "event", name: "Taken", identifiers: { id: "bob" } },
    { type: "person", action: "screen", name: "null", identifiers: { id: "bob" } },
  ];
  expect((await compat("/customerio/api/v2/batch", { batch: operations })).status).toBe(207);
  const found = await noted("bob", 4);
  expect(found.map((row: { item: number; code: string }) => `${row.item} ${row.code}`).sort()).toEqual([
    "0 invalid_request",
    "1 invalid_request",
    "4 screen_name",
    "null invalid_request",
  ]);
  expect(await all("/customerio/api/v2/batch", "anonymous")).toMatchObject([{ item: 2 }]);
  expect((await compat("/customerio/api/v1/events", { name: "Nobody's" })).status).toBe(200);
  await all("/customerio/api/v1/events", "anonymous");
});
