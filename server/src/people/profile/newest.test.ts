import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testClock, testService } from "../../../test/support/service.ts";
import { sql } from "../../platform/db/index.ts";
import { combined, reportedAt } from "./newest.ts";

const clock = testClock("2026-03-01T12:00:00Z");
const it = await testService({ clock });
const minutes = (n: number) => new Date(Date.parse("2026-03-01T12:00:00Z") + n * 60_000).toISOString();
const identify = (person_id: string, attributes: object, ts?: string) =>
  it.call("POST", "/data-gateway/v1/identify", { body: { person_id, attributes, ...(ts !== undefined && { ts }) } });
const person = async (id: string) => (await it.call("GET", `/api/v1/people/${id}`)).body;

const one = fc.record(
  {
    plan: fc.constantFrom("a", "b", null),
    city: fc.constantFrom("a", "b", null),
    locale: fc.constantFrom("de", "en", null),
    email: fc.constantFrom("a@x.test", "b@x.test", null),
    subscribed: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** The value of each name from its last report. */
function last(said: Partial<Record<string, unknown>>[]): Record<string, unknown> {
  const all: Record<string, unknown> = Object.assign({}, ...said);
  const view: Record<string, unknown> = { email: all.email ?? null, locale: all.locale ?? null, attributes: {} };
  view.subscribed = all.subscribed ?? true;
  for (const name of ["plan", "city"])
    if (all[name] != null) (view.attributes as Record<string, unknown>)[name] = all[name];
  return view;
}

let people = 0;

describe("identify with ts", () => {
  test("the newest value of each attribute stays, in whatever order and groups the calls come", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(one, { minLength: 2, maxLength: 6 }),
        fc.infiniteStream(fc.nat(1_000)),
        fc.boolean(),
        async (said, dice, together) => {
          const id = `p${++people}`;
          const shuffled = said
            .map((attributes, i) => ({ attributes, ts: minutes(i - 100), place: dice.next().value as number }))
            .sort((a, b) => a.place - b.place);
          if (together) {
            const items = shuffled.map(({ attributes, ts }) => ({ type: "identify", person_id: id, attributes, ts }));
            await it.call("POST", "/data-gateway/v1/batch", { body: { items } });
          } else for (const { attributes, ts } of shuffled) await identify(id, attributes, ts);
          expect(await person(id)).toMatchObject(last(said));
        },
      ),
      { numRuns: 40 },
    );
  });

  test("a report without ts is the newest, and one with a ts in the future counts as now", async () => {
    await identify("ada", { plan: "now", city: "now" });
    await identify("ada", { plan: "old", zip: "1010" }, minutes(-60));
    expect((await person("ada")).attributes).toEqual({ plan: "now", city: "now", zip: "1010" });
    await identify("ada", { plan: "ahead" }, minutes(60 * 24 * 365));
    clock.forward(1_000);
    await identify("ada", { plan: "after" });
    expect((await person("ada")).attributes.plan).toBe("after");
  });

  test("a removed attribute stays removed, and comes back with a later report", async () => {
    await identify("bob", { plan: "pro" }, minutes(-60));
    await identify("bob", { plan: null, email: null }, minutes(-30));
    await identify("bob", { plan: "old", email: "bob@x.test" }, minutes(-40));
    expect(await person("bob")).toMatchObject({ email: null, attributes: {} });
    await identify("bob", { plan: "new" }, minutes(-20));
    expect((await person("bob")).attributes).toEqual({ plan: "new" });
  });

  test("a replay does not undo an unsubscribe", async () => {
    await identify("carl", { subscribed: true });
    clock.forward(60_000);
    await it.call("PATCH", "/api/v1/people/carl/subscriptions", { body: { subscribed: false } });
    await identify("carl", { subscribed: true }, new Date(clock.now().getTime() - 1_000).toISOString());
    expect((await person("carl")).subscribed).toBe(false);
  });

  test("attributes that were stored without times are as old as the last identify", async () => {
    await identify("dora", { plan: "pro" });
    await it.service.ground.db.execute(sql`update people set attribute_times = null where person_id = 'dora'`);
    await identify("dora", { plan: "old", city: "Graz" }, minutes(-60));
    expect((await person("dora")).attributes).toEqual({ plan: "pro", city: "Graz" });
  });

  test("two people who are merged keep the times of the attributes of each", async () => {
    await identify("eva", { plan: "pro" }, minutes(-60));
    await identify("eve", { city: "Wien" }, minutes(-30));
    await it.call("POST", "/api/v1/people/eve/merge", { body: { into: "eva" } });
    await identify("eva", { city: "Graz", plan: "free" }, minutes(-45));
    expect((await person("eva")).attributes).toEqual({ plan: "free", city: "Wien" });
  });

  test("the clients of other services report the time, too", async () => {
    await identify("fred", { plan: "now" });
    const message = { userId: "fred", traits: { plan: "old", city: "Linz" }, timestamp: minutes(-60) };
    await it.call("POST", "/compat/segment/v1/identify", { body: { ...message, sentAt: minutes(0) } });
    expect((await person("fred")).attributes).toEqual({ plan: "now", city: "Linz" });
  });
});

test("`subscribed: null` is as if the person never chose", async () => {
  await identify("gina", { subscribed: false });
  expect((await identify("gina", { subscribed: null })).status).toBe(200);
  expect((await person("gina")).subscribed).toBe(true);
});

test("a thousand calls for one person cost time in proportion to their attributes, and not to the square", () => {
  const changes = Array.from({ length: 1_000 }, (_, i) =>
    reportedAt({ set: Object.fromEntries(Array.from({ length: 20 }, (_, j) => [`a${i}_${j}`, i])), removed: [] }, i),
  );
  const before = process.threadCpuUsage();
  expect(Object.keys(combined(changes).set)).toHaveLength(20_000);
  const { user, system } = process.threadCpuUsage(before);
  // 20,000 names take some 30 ms. Combined one by one, each call would copy all before it, which took seconds.
  expect((user + system) / 1_000).toBeLessThan(500);
});
