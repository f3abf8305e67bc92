import { expect, test } from "vitest";
import { createWorld, ids, message, settle } from "../../test/support/world.ts";
import type { Tidings } from "../api.ts";
import type { InboxItem } from "../shapes.ts";

const card = (id: string, read_at: string | null = null): InboxItem => ({
  ...message(id, { render_type: "inbox_card", persistence: { mode: "persistent_until_dismissed" } }),
  read_at,
});

/** A tab whose person has this many cards, none of them read. */
async function withInbox(count = 25): Promise<{ world: ReturnType<typeof createWorld>; tidings: Tidings }> {
  const world = createWorld();
  const cards = Array.from({ length: count }, (_, i) => card(`c${i}`));
  world.answer = ({ path, query }) => {
    if (path !== "in-app/inbox") return undefined;
    const from = Number(query.get("cursor") ?? 0);
    const to = from + Number(query.get("limit"));
    const body = { data: cards.slice(from, to), next_cursor: to < count ? String(to) : null, unread_count: count };
    return { body };
  };
  const { tidings } = world.tab();
  await tidings.inbox.load();
  return { world, tidings };
}

test("the inbox comes page by page", async () => {
  const { world, tidings } = await withInbox();
  expect(tidings.inbox.items).toHaveLength(20);
  expect(tidings.inbox.hasMore).toBe(true);
  await tidings.inbox.more();
  expect(ids(tidings.inbox.items)).toEqual(Array.from({ length: 25 }, (_, i) => `c${i}`));
  expect(tidings.inbox.hasMore).toBe(false);
  await tidings.inbox.more();
  expect(world.to("in-app/inbox")).toHaveLength(2);
  expect(tidings.inbox.unreadCount).toBe(25);
});

test("a card is read and unread at once, told to the service in order, and the arrays change only then", async () => {
  const { world, tidings } = await withInbox();
  let heard = 0;
  tidings.inbox.subscribe(() => heard++);
  const before = tidings.inbox.items;
  tidings.inbox.read("c1");
  tidings.inbox.read("c1");
  expect(tidings.inbox.unreadCount).toBe(24);
  expect(tidings.inbox.items[1]?.read_at).toBe("2026-11-21T12:00:00.000Z");
  expect(before[1]?.read_at).toBeNull();
  tidings.inbox.unread("c1");
  expect(tidings.inbox.unreadCount).toBe(25);
  expect(heard).toBe(2);
  await world.pass(0);
  const sent = world.calls.filter(({ path }) => path.includes("/c1/"));
  expect(sent.map(({ path, json }) => [path, json.person_id])).toEqual([
    ["in-app/messages/c1/read", "ada"],
    ["in-app/messages/c1/read", "ada"],
    ["in-app/messages/c1/unread", "ada"],
  ]);
});

test("a dismissed card disappears at once and stays away, and the count with it", async () => {
  const { tidings } = await withInbox();
  tidings.dismiss("c0");
  expect(ids(tidings.inbox.items)).not.toContain("c0");
  expect(tidings.inbox.unreadCount).toBe(24);
  await tidings.inbox.load();
  expect(ids(tidings.inbox.items)).not.toContain("c0");
});

test("an inbox that was asked for before a card was read does not take that back", async () => {
  const { world, tidings } = await withInbox();
  let late = () => {};
  const usual = world.answer;
  let asked = 0;
  world.answer = async (call) => {
    const answer = usual(call);
    if (call.path !== "in-app/inbox") return answer;
    if (++asked === 1) await new Promise<void>((resolve) => (late = resolve));
    else if (world.calls.some(({ path }) => path.endsWith("/c1/read")))
      return { body: { data: [card("c1", "2026-11-21T12:00:00.000Z")], next_cursor: null, unread_count: 0 } };
    return answer;
  };
  const heard: (string | null | undefined)[] = [];
  tidings.inbox.subscribe(() =>
    heard.push(tidings.inbox.items.find(({ delivery_id }) => delivery_id === "c1")?.read_at),
  );
  const load = tidings.inbox.load();
  await settle();
  tidings.inbox.read("c1");
  late();
  await load;
  expect(heard).not.toContain(null);
  expect(tidings.inbox.unreadCount).toBe(0);
});

test("the inbox is asked for after what was done to it was told", async () => {
  const { world, tidings } = await withInbox();
  world.calls.length = 0;
  tidings.inbox.read("c1");
  await tidings.inbox.load();
  expect(world.calls.map(({ path }) => path)).toEqual(["in-app/messages/c1/read", "in-app/inbox"]);
});

test("once loaded the inbox follows the stream", async () => {
  const { world } = await withInbox();
  world.calls.length = 0;
  world.sources[0]?.event();
  await settle();
  expect(world.to("in-app/inbox")).toHaveLength(1);
});

test("20 cards are all of 20: there is no next page to ask for", async () => {
  const { tidings } = await withInbox(20);
  expect([tidings.inbox.items.length, tidings.inbox.hasMore]).toEqual([20, false]);
});

test("that there is no next page after all is heard, also where no card came", async () => {
  const { world, tidings } = await withInbox();
  world.answer = () => ({ body: { data: [], next_cursor: null, unread_count: 25 } });
  const before = tidings.inbox.items;
  let heard = 0;
  tidings.inbox.subscribe(() => heard++);
  await tidings.inbox.more();
  expect([heard, tidings.inbox.hasMore]).toEqual([1, false]);
  expect(tidings.inbox.items).toBe(before);
});

test("a list of several pages is as long after the next look, whatever is asked for at once", async () => {
  const { world, tidings } = await withInbox(130);
  await Promise.all([tidings.inbox.more(), tidings.inbox.load(), tidings.inbox.more(), tidings.inbox.load()]);
  while (tidings.inbox.items.length < 120) await tidings.inbox.more();
  await Promise.all([tidings.sync(), tidings.inbox.load()]);
  expect(ids(tidings.inbox.items)).toEqual(Array.from({ length: 120 }, (_, i) => `c${i}`));
  expect(tidings.inbox.hasMore).toBe(true);
  expect(world.to("in-app/inbox").every(({ query }) => Number(query.get("limit")) <= 50)).toBe(true);
});

test("who asks for the inbox while others wait for it gets the same answer", async () => {
  const { world, tidings } = await withInbox();
  world.calls.length = 0;
  await Promise.all(Array.from({ length: 20 }, () => tidings.inbox.load()));
  expect(world.to("in-app/inbox")).toHaveLength(1);
});

test.each([
  ["a tab that takes part", true],
  ["a tab that was not started", false],
])(
  "the inbox of who logs in is asked for by itself in %s, and no card of the person before is left",
  async (_, autoStart) => {
    const world = createWorld();
    let late = () => {};
    world.answer = async ({ path, query }) => {
      if (path !== "in-app/inbox") return undefined;
      const person = query.get("person_id");
      if (person === "ada" && world.to("in-app/inbox").length > 1)
        await new Promise<void>((resolve) => (late = resolve));
      return { body: { data: [card(`of ${person}`)], next_cursor: "1", unread_count: 1 } };
    };
    const { tidings } = world.tab({ autoStart });
    await tidings.inbox.load();
    expect(ids(tidings.inbox.items)).toEqual(["of ada"]);
    const again = tidings.inbox.load();
    await settle();
    const heard: string[][] = [];
    tidings.inbox.subscribe(() => heard.push(ids(tidings.inbox.items)));
    tidings.login("grace");
    expect([tidings.inbox.items, tidings.inbox.unreadCount, tidings.inbox.hasMore]).toEqual([[], 0, false]);
    await world.pass(250);
    late();
    await again;
    expect(heard).toEqual([[], ["of grace"]]);
    await tidings.logout();
    tidings.login("alan");
    await world.pass(250);
    expect(ids(tidings.inbox.items)).toEqual(["of alan"]);
  },
);

test("an inbox that nobody asked for is not asked for when another person logs in", async () => {
  const world = createWorld();
  const { tidings } = world.tab();
  tidings.login("grace");
  await world.pass(70_000);
  expect(world.to("in-app/inbox")).toEqual([]);
});

test("what is read and unread in one tab is so in the others", async () => {
  const world = createWorld();
  let read_at: string | null = null;
  world.answer = ({ path }) => {
    if (path.endsWith("/c1/read")) read_at = "2026-11-21T12:00:00.000Z";
    if (path.endsWith("/c1/unread")) read_at = null;
    if (path !== "in-app/inbox") return undefined;
    return { body: { data: [card("c1", read_at)], next_cursor: null, unread_count: read_at ? 0 : 1 } };
  };
  const [here, there] = [world.tab().tidings, world.tab().tidings];
  for (const { inbox } of [here, there]) await inbox.load();
  here.inbox.read("c1");
  await world.pass(0);
  expect([there.inbox.unreadCount, there.inbox.items[0]?.read_at]).toEqual([0, read_at]);
  there.inbox.unread("c1");
  await world.pass(0);
  expect([here.inbox.unreadCount, here.inbox.items[0]?.read_at]).toEqual([1, null]);
});
