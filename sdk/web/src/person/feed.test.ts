import fc from "fast-check";
import { expect, test } from "vitest";
import { createWorld, ids, message, settle } from "../../test/support/world.ts";

const SYNC = "in-app/messages/sync";

test("the stream is opened before the first sync, and each time that it opens there is one", async () => {
  const world = createWorld();
  world.tab().tidings.setScreen("home");
  await settle();
  expect(world.sources).toHaveLength(1);
  expect(world.to(SYNC)).toHaveLength(0);
  world.sources[0]?.open();
  await settle();
  expect(world.to(SYNC)).toHaveLength(1);
  expect(Object.fromEntries(world.to(SYNC)[0]?.query ?? [])).toEqual({
    person_id: "ada",
    screen: "home",
    timezone: "Europe/Berlin",
    tz_offset_minutes: "60",
    limit: "50",
  });
  world.sources[0]?.event();
  await settle();
  expect(world.to(SYNC)).toHaveLength(2);
});

test("a stream that does not open holds the first sync up for a quarter of a second", async () => {
  const world = createWorld();
  world.tab();
  await world.pass(249);
  expect(world.to(SYNC)).toHaveLength(0);
  await world.pass(1);
  expect(world.to(SYNC)).toHaveLength(1);
});

test("messages come in the order of the service, and the array is the same until something changes", async () => {
  const world = createWorld();
  world.messages = [message("b", { priority: 1 }), message("a", { priority: 99 })];
  world.answer = ({ path, headers }) => {
    if (path !== SYNC) return undefined;
    return headers["if-none-match"] === "v1" ? { status: 304 } : { body: world.messages, headers: { etag: "v1" } };
  };
  const { tidings } = world.tab();
  let heard = 0;
  tidings.subscribe(() => heard++);
  await tidings.sync();
  const before = tidings.messages;
  expect(ids(before)).toEqual(["b", "a"]);
  await tidings.sync();
  expect(world.to(SYNC)[1]?.headers["if-none-match"]).toBe("v1");
  expect(tidings.messages).toBe(before);
  expect(heard).toBe(1);
});

test("another screen drops what is shown at once, asks afresh, and an answer for the one before is thrown away", async () => {
  const world = createWorld();
  let late: (() => void) | undefined;
  world.answer = async ({ path, query }) => {
    if (path !== SYNC) return undefined;
    if (query.get("screen") === "slow") await new Promise<void>((resolve) => (late = resolve));
    return { body: [message(`for ${query.get("screen")}`)], headers: { etag: "x" } };
  };
  const { tidings } = world.tab();
  const heard: string[][] = [];
  tidings.subscribe((messages) => heard.push(ids(messages)));
  tidings.setScreen("home");
  await tidings.sync();
  expect(ids(tidings.messages)).toEqual(["for home"]);
  tidings.setScreen("slow");
  expect(tidings.messages).toEqual([]);
  await settle();
  expect(late).toBeDefined();
  tidings.setScreen("cart");
  await settle();
  expect(ids(tidings.messages)).toEqual(["for cart"]);
  late?.();
  await settle();
  expect(ids(tidings.messages)).toEqual(["for cart"]);
  expect(heard).toEqual([["for home"], [], ["for cart"]]);
  expect(world.to(SYNC).at(-1)?.headers["if-none-match"]).toBeUndefined();
  await world.pass(0);
  expect(world.to("batch").flatMap(({ json }) => json.items?.map(({ properties }) => properties))).toEqual([
    { screen: "home" },
    { screen: "slow" },
    { screen: "cart" },
  ]);
});

test("an answer that was asked for another person is thrown away", async () => {
  const world = createWorld();
  let late = () => {};
  world.answer = async ({ path, query }) => {
    if (path !== SYNC) return undefined;
    if (query.get("person_id") === "ada") await new Promise<void>((resolve) => (late = resolve));
    return { body: [message(`of ${query.get("person_id")}`)] };
  };
  const { tidings } = world.tab();
  const heard: string[] = [];
  tidings.subscribe((messages) => heard.push(...ids(messages)));
  void tidings.sync();
  await settle();
  tidings.login("grace");
  await world.pass(250);
  late();
  await settle();
  expect(ids(tidings.messages)).toEqual(["of grace"]);
  expect(heard).toEqual(["of grace"]);
});

test.each([
  ["shown", true],
  ["queued", true],
  ["dismissed", false],
  ["canceled", false],
  ["expired", false],
  [null, false],
])("a displayed message that the service no longer lists and calls %s stays: %s", async (status, stays) => {
  const world = createWorld();
  world.messages = [message("one")];
  const { tidings } = world.tab();
  await tidings.sync();
  tidings.impression("one");
  await settle();
  world.messages = [];
  world.answer = ({ path, json }) =>
    path === "in-app/messages/interactions"
      ? { body: { results: json.items?.map(({ event_id }) => ({ event_id, status, recorded: false })) } }
      : undefined;
  await world.pass(0);
  await tidings.sync();
  expect(ids(tidings.messages)).toEqual(stays ? ["one"] : []);
  const reports = world.to("in-app/messages/interactions").map(({ json }) => json.items?.[0]?.event_id);
  expect(new Set(reports).size).toBe(1);
  tidings.setScreen("elsewhere");
  expect(tidings.messages).toEqual([]);
});

test("a message that was not displayed goes as soon as the service does not list it", async () => {
  const world = createWorld();
  world.messages = [message("one")];
  const { tidings } = world.tab();
  await tidings.sync();
  world.messages = [];
  await tidings.sync();
  expect(tidings.messages).toEqual([]);
  expect(world.to("in-app/messages/interactions")).toEqual([]);
});

test("what stays displayed keeps its place: highest priority first, and the service's own order untouched", async () => {
  const priorities = fc.uniqueArray(fc.record({ id: fc.nat(99), priority: fc.constantFrom(10, 50, 75, 100) }), {
    selector: ({ id }) => id,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(priorities, priorities, async (first, second) => {
      const list = (given: typeof first) =>
        given.toSorted((a, b) => b.priority - a.priority).map(({ id, priority }) => message(`${id}`, { priority }));
      const world = createWorld();
      world.messages = list(first);
      const { tidings } = world.tab();
      await tidings.sync();
      for (const id of ids(tidings.messages)) tidings.impression(id);
      world.messages = list(second);
      await tidings.sync();
      const shown = tidings.messages;
      expect(ids(shown).toSorted()).toEqual([...new Set([...ids(list(first)), ...ids(list(second))])].toSorted());
      const listed = new Set(ids(world.messages));
      const order = shown.map(({ priority }) => priority);
      expect(order).toEqual(order.toSorted((a, b) => b - a));
      expect(ids(shown).filter((id) => listed.has(id))).toEqual(ids(world.messages));
    }),
    { numRuns: 30 },
  );
});

test("of two with the same priority the one that was displayed before stays first", async () => {
  const world = createWorld();
  world.messages = [message("old")];
  const { tidings } = world.tab();
  await tidings.sync();
  tidings.impression("old");
  world.messages = [message("new")];
  await tidings.sync();
  expect(ids(tidings.messages)).toEqual(["old", "new"]);
});

test("an impression counts once until the screen changes, however often it is reported", async () => {
  const world = createWorld();
  const { tidings } = world.tab();
  for (const screen of ["home", "cart"]) {
    tidings.setScreen(screen);
    for (let i = 0; i < 3; i++) tidings.impression("one");
  }
  await world.pass(0);
  const reports = world.to("in-app/messages/interactions").flatMap(({ json }) => json.items ?? []);
  expect(reports.map(({ screen }) => screen)).toEqual(["home", "cart"]);
});

test("a dismissed message disappears at once and never comes back, also when an old answer still lists it", async () => {
  const world = createWorld();
  world.messages = [message("one"), message("two")];
  const { tidings } = world.tab();
  await tidings.sync();
  tidings.dismiss("one", "closed");
  expect(ids(tidings.messages)).toEqual(["two"]);
  await tidings.sync();
  expect(ids(tidings.messages)).toEqual(["two"]);
  expect(world.to("in-app/messages/interactions")[0]?.json.items?.[0]).toMatchObject({
    delivery_id: "one",
    type: "dismiss",
    reason: "closed",
    platform: "web",
  });
});

test.each([
  ["one_time", "deep_link", false],
  ["persistent_until_dismissed", "deep_link", true],
  ["persistent_until_dismissed", "dismiss", false],
] as const)("after a click on a %s message's button that is a %s it stays: %s", async (mode, action, stays) => {
  const world = createWorld();
  world.messages = [message("one", { persistence: { mode }, ctas: [{ id: "cta", label: "Go", action }] })];
  const { tidings } = world.tab();
  await tidings.sync();
  tidings.click("one", "cta");
  expect(ids(tidings.messages)).toEqual(stays ? ["one"] : []);
});

test("a sync waits for the impressions before it: a one-time message must not come back", async () => {
  const world = createWorld();
  world.messages = [message("one")];
  const { tidings } = world.tab();
  await tidings.sync();
  world.calls.length = 0;
  tidings.impression("one");
  tidings.setScreen("next");
  await settle();
  const paths = world.calls.map(({ path }) => path);
  expect(paths.indexOf("in-app/messages/interactions")).toBeGreaterThanOrEqual(0);
  expect(paths.indexOf("in-app/messages/interactions")).toBeLessThan(paths.indexOf(SYNC));
});

test("it looks again by itself about once a minute, not while the tab is hidden, and at once when it is seen again", async () => {
  const world = createWorld();
  world.chance = 1;
  world.tab();
  await world.pass(250);
  world.calls.length = 0;
  await world.pass(71_990);
  expect(world.to(SYNC)).toHaveLength(0);
  await world.pass(20);
  expect(world.to(SYNC)).toHaveLength(1);
  world.visible = false;
  await world.pass(300_000);
  expect(world.to(SYNC)).toHaveLength(1);
  world.visible = true;
  world.wake();
  await settle();
  expect(world.to(SYNC)).toHaveLength(2);
});

test("syncs that are asked for while one is under way become one", async () => {
  const world = createWorld();
  const { tidings } = world.tab();
  await Promise.all(Array.from({ length: 20 }, () => tidings.sync()));
  expect(world.to(SYNC)).toHaveLength(2);
});
