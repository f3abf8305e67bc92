import { expect, test } from "vitest";
import { createWorld, ids, message, settle } from "../../test/support/world.ts";

const REPORTS = "in-app/messages/interactions";

test("interactions travel a hundred at a time, in order, each with an id of its own", async () => {
  const world = createWorld();
  const { tidings } = world.tab();
  for (let i = 0; i < 250; i++) tidings.click(`dlv_${i}`);
  await world.pass(0);
  const bodies = world.to(REPORTS).map(({ json }) => json.items ?? []);
  expect(bodies.map((items) => items.length)).toEqual([100, 100, 50]);
  expect(bodies.flat().map(({ delivery_id }) => delivery_id)).toEqual(
    Array.from({ length: 250 }, (_, i) => `dlv_${i}`),
  );
  expect(new Set(bodies.flat().map(({ event_id }) => event_id)).size).toBe(250);
  expect(world.to(REPORTS)[0]?.json.person_id).toBe("ada");
  expect(world.stored.size).toBe(0);
});

test("identify and track travel together and in order with the interactions between them", async () => {
  const world = createWorld();
  const { tidings } = world.tab();
  tidings.identify({ plan: "pro" });
  tidings.track("bought", { sum: 3 });
  tidings.click("dlv_1");
  tidings.identify({ plan: null });
  await world.pass(0);
  const sent = world.calls.filter(({ method }) => method === "POST");
  expect(sent.map(({ path, json }) => [path, json.items?.length])).toEqual([
    ["batch", 2],
    [REPORTS, 1],
    ["batch", 1],
  ]);
  expect(sent[0]?.json.items).toMatchObject([
    { type: "identify", person_id: "ada", attributes: { plan: "pro" }, ts: "2026-11-21T12:00:00.000Z" },
    { type: "track", person_id: "ada", eventName: "bought", properties: { sum: 3 }, event_id: expect.any(String) },
  ]);
});

test.each([
  ["in English", "x".repeat(10_000)],
  ["in Japanese, whose letters take three bytes", "\u65e5".repeat(3_400)],
])("a large queue is cut so that the browser still sends it when the page goes: %s", async (_, text) => {
  const world = createWorld();
  const { tidings } = world.tab();
  for (let i = 0; i < 5; i++) tidings.track("large", { text });
  await world.pass(0);
  expect(world.to("batch").map(({ json }) => json.items?.length)).toEqual([2, 2, 1]);
});

test("after a reload what was not answered is sent again with the same ids, and a dismissed message stays away", async () => {
  const world = createWorld();
  world.messages = [message("one"), message("two")];
  world.answer = ({ path }) => (path === REPORTS ? { status: 500 } : undefined);
  const first = world.tab();
  await first.tidings.sync();
  first.tidings.dismiss("one");
  await world.pass(0);
  const before = world.to(REPORTS)[0]?.json.items;
  first.tidings.stop();

  world.calls.length = 0;
  world.setClock("2001-01-01T00:00:00Z");
  const { tidings } = world.tab();
  tidings.click("later");
  await world.pass(10_000);
  await tidings.sync();
  expect(ids(tidings.messages)).toEqual(["two"]);
  world.answer = () => undefined;
  await world.pass(60_000);
  const sent = world.to(REPORTS).at(-1)?.json.items ?? [];
  expect(sent[0]).toEqual(before?.[0]);
  expect(sent.map(({ delivery_id }) => delivery_id)).toEqual(["one", "later"]);
  expect(world.stored.size).toBe(0);
});

test.each([400, 403, 404, 413, 422])(
  "a refusal with %i drops what was refused and goes on behind it",
  async (status) => {
    const world = createWorld();
    world.answer = ({ path }) => (path === "batch" ? { status, body: { code: "no", detail: "No." } } : undefined);
    const { tidings, errors } = world.tab();
    tidings.track("refused");
    tidings.click("dlv_1");
    await world.pass(0);
    expect(world.stored.size).toBe(0);
    expect(world.to("batch")).toHaveLength(1);
    expect(world.to(REPORTS)).toHaveLength(1);
    expect(errors).toMatchObject([{ status, code: "no", message: "No." }]);
  },
);

test.each([401, 408, 429, 500, 503])("after a %i it is kept and sent again later", async (status) => {
  const world = createWorld();
  world.answer = ({ path }) => (path === REPORTS ? { status } : undefined);
  const { tidings } = world.tab();
  tidings.click("dlv_1");
  await world.pass(0);
  expect(world.stored.size).toBe(1);
  world.answer = () => undefined;
  await world.pass(60_000);
  expect(world.stored.size).toBe(0);
});

test("an answer that is not the service's is no answer", async () => {
  const world = createWorld();
  world.answer = ({ path }) => (path === REPORTS ? { body: "<html>Welcome to our hotel</html>" } : undefined);
  const { tidings } = world.tab();
  tidings.click("dlv_1");
  await world.pass(0);
  expect(world.stored.size).toBe(1);
  world.answer = ({ path }) => (path === REPORTS ? { body: { welcome: true } } : undefined);
  await world.pass(5_000);
  expect(world.stored.size).toBe(1);
});

test("one entry that the service does not take is told, and spoils no other", async () => {
  const world = createWorld();
  world.answer = ({ path, json }) =>
    path === REPORTS
      ? {
          body: {
            results: json.items?.map(({ event_id }, at) => ({
              event_id,
              status: null,
              ...(at === 0 && { code: "delivery_not_found" }),
            })),
          },
        }
      : undefined;
  const { tidings, errors } = world.tab();
  tidings.click("unknown");
  tidings.click("known");
  await world.pass(0);
  expect(world.stored.size).toBe(0);
  expect(errors).toMatchObject([{ code: "delivery_not_found" }]);
});

test("Retry-After is kept to by everything, and then it goes on by itself", async () => {
  const world = createWorld();
  world.chance = 0;
  const { tidings } = world.tab();
  await world.pass(300);
  world.answer = () => ({ status: 503, headers: { "retry-after": "40" } });
  tidings.click("dlv_1");
  await world.pass(0);
  world.answer = () => undefined;
  world.calls.length = 0;
  await world.pass(39_000);
  await tidings.sync();
  expect(world.calls).toEqual([]);
  await world.pass(2_000);
  expect(world.to(REPORTS)).toHaveLength(1);
  expect(world.to("in-app/messages/sync").length).toBeGreaterThan(0);
});

test("while the service is away it is asked less and less often, and at least once a minute", async () => {
  const world = createWorld();
  world.chance = 1;
  world.answer = ({ path }) => (path === "batch" ? { status: 500 } : undefined);
  const { tidings } = world.tab();
  tidings.track("waits");
  await world.pass(63_000);
  // At 0, 1, 3, 7, 15, 31 and 63 seconds.
  expect(world.to("batch")).toHaveLength(7);
  await world.pass(120_000);
  expect(world.to("batch")).toHaveLength(9);
});

test("when the page goes the browser gets what is not on its way yet, to send it without the page", async () => {
  const world = createWorld();
  let answer = () => {};
  world.answer = async ({ path }) => {
    if (path === "batch") await new Promise<void>((resolve) => (answer = resolve));
    return undefined;
  };
  const { tidings } = world.tab();
  tidings.track("on its way");
  await world.pass(0);
  tidings.track("at the last moment");
  tidings.click("dlv_1", "cta");
  world.hide();
  await settle();
  const sent = world.calls.filter(({ method }) => method === "POST");
  expect(sent.map(({ json }) => json.items?.map(({ eventName, type }) => eventName ?? type))).toEqual([
    ["on its way"],
    ["at the last moment"],
    ["click"],
  ]);
  expect(sent.every(({ keepalive }) => keepalive)).toBe(true);
  // Without an answer it stays, for the next page.
  expect(world.stored.size).toBe(2);
  answer();
});

test("storage that refuses is replaced by memory", async () => {
  const world = createWorld();
  const full = {
    get: () => null,
    set: () => {
      throw new Error("QuotaExceededError");
    },
    remove: () => {},
    keys: (): string[] => {
      throw new Error("SecurityError");
    },
  };
  for (const storage of [full, undefined]) {
    world.calls.length = 0;
    const { tidings, errors } = world.tab({}, { storage });
    tidings.track("kept");
    await world.pass(0);
    expect(world.to("batch")).toHaveLength(1);
    expect(errors).toEqual([]);
    tidings.stop();
  }
});

test("a device that is offline for weeks keeps the newest thousand", async () => {
  const world = createWorld();
  world.online = false;
  const { tidings, errors } = world.tab();
  for (let i = 0; i < 1_003; i++) tidings.click(`dlv_${i}`);
  expect(world.stored.size).toBe(1_000);
  expect(errors).toHaveLength(3);
  expect([...world.stored.values()].some((text) => text.includes('dlv_2"'))).toBe(false);
  expect([...world.stored.values()].some((text) => text.includes('dlv_1002"'))).toBe(true);
});

test("two tabs send what waits once, and lose nothing that both write", async () => {
  const world = createWorld();
  const [one, two] = [world.tab(), world.tab()];
  for (let i = 0; i < 5; i++) {
    one.tidings.track(`one ${i}`);
    two.tidings.track(`two ${i}`);
  }
  await world.pass(100);
  const names = world.to("batch").flatMap(({ json }) => json.items?.map(({ eventName }) => eventName));
  expect(names).toHaveLength(10);
  expect(new Set(names).size).toBe(10);
  expect(world.stored.size).toBe(0);
});

test("a tab that is frozen with the lock holds the others up for two seconds only", async () => {
  const world = createWorld();
  const { tidings } = world.tab({}, { lock: () => () => {} });
  tidings.track("urgent");
  await world.pass(1_999);
  expect(world.to("batch")).toHaveLength(0);
  await world.pass(1);
  expect(world.to("batch")).toHaveLength(1);
});

test("what waits for one person is never sent for another", async () => {
  const world = createWorld();
  world.online = false;
  const { tidings } = world.tab();
  tidings.click("of ada");
  tidings.login("grace");
  tidings.click("of grace");
  world.online = true;
  await world.pass(60_000);
  expect(world.to(REPORTS).at(-1)?.json).toMatchObject({ person_id: "grace", items: [{ delivery_id: "of grace" }] });
  world.calls.length = 0;
  tidings.login("ada");
  await world.pass(1_000);
  expect(world.to(REPORTS)[0]?.json).toMatchObject({ person_id: "ada", items: [{ delivery_id: "of ada" }] });
});
