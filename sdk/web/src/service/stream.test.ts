import { expect, test } from "vitest";
import { createWorld, ids, message, settle } from "../../test/support/world.ts";

const SYNC = "in-app/messages/sync";
const STREAM = "in-app/messages/stream";

/** Returns when each stream was opened, in seconds after the one before was lost. */
async function waits(world: ReturnType<typeof createWorld>, times: number, stays = 0): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < times; i++) {
    const count = world.sources.length;
    if (stays > 0) {
      world.sources.at(-1)?.open();
      await world.pass(stays);
    }
    world.sources.at(-1)?.error();
    let waited = 0;
    for (; world.sources.length === count && waited < 100; waited += 0.5) await world.pass(500);
    found.push(waited);
  }
  return found;
}

test("a lost stream is closed and opened again, later each time, and never later than after 30 seconds", async () => {
  const world = createWorld();
  world.chance = 1;
  world.tab();
  await settle();
  expect(await waits(world, 7)).toEqual([2, 4, 8, 16, 30, 30, 30]);
  expect(world.sources.slice(0, -1).every(({ closed }) => closed)).toBe(true);
});

test("each wait is cut by chance up to a half, so that not everybody returns in the same moment", async () => {
  const world = createWorld();
  world.chance = 0;
  world.tab();
  await settle();
  expect(await waits(world, 5)).toEqual([1, 2, 4, 8, 15]);
});

test("a stream that lasted begins the waits anew; one that was opened and closed at once does not", async () => {
  const world = createWorld();
  world.chance = 1;
  world.tab();
  await settle();
  expect(await waits(world, 3, 1_000)).toEqual([2, 4, 8]);
  expect(await waits(world, 3, 10_000)).toEqual([2, 2, 2]);
});

test("a stream that could not be opened is followed by a sync, which renews the token for the next attempt", async () => {
  const world = createWorld();
  let tokens = 0;
  world.answer = ({ path, headers }) =>
    path === SYNC && headers["x-person-token"] === "token 1"
      ? { status: 401, body: { code: "person_token_expired" } }
      : undefined;
  const usual = world.answer;
  world.answer = () => undefined;
  world.tab({ getPersonToken: async () => `token ${++tokens}` });
  await world.pass(300);
  world.answer = usual;
  expect(world.sources[0]?.url).toContain("person_token=token%201");
  world.sources[0]?.error();
  await world.pass(2_000);
  expect(world.sources[1]?.url).toContain("person_token=token%202");
  expect(tokens).toBe(2);
});

test("when the person or the network is back a waiting stream does not wait on", async () => {
  const world = createWorld();
  world.chance = 1;
  world.tab();
  await settle();
  await waits(world, 4);
  world.sources.at(-1)?.error();
  const before = world.sources.length;
  world.wake();
  await world.pass(1_000);
  expect(world.sources).toHaveLength(before + 1);
});

test("a secret key never stands in an address: its stream is read by fetch, whose events may be cut anywhere", async () => {
  const world = createWorld();
  let write: (text: string) => void = () => {};
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      write = (text) => controller.enqueue(new TextEncoder().encode(text));
      end = () => controller.close();
    },
  });
  const env = world.environment();
  let streams = 0;
  world.tab(
    { apiKey: "tid_sec_x", getPersonToken: async () => "proof" },
    {
      async fetch(url, init) {
        if (!url.includes(STREAM)) return env.fetch(url, init);
        streams++;
        expect(url).not.toMatch(/tid_sec|proof/);
        expect(init).toMatchObject({ headers: { authorization: "Bearer tid_sec_x", "x-person-token": "proof" } });
        expect(init.timeoutMs).toBeUndefined();
        return { status: 200, headers: new Headers(), text: async () => "", body };
      },
    },
  );
  await settle();
  expect([streams, world.sources.length]).toEqual([1, 0]);
  world.calls.length = 0;
  write(": connected\n\nretry: 1000\n\nevent: sy");
  await settle();
  expect(world.to(SYNC)).toHaveLength(0);
  write('nc\ndata: {"delivery_id":"x"}\n\n');
  await settle();
  expect(world.to(SYNC)).toHaveLength(1);
  end();
  await world.pass(2_000);
  expect(streams).toBe(2);
});

test("a stream by fetch that says nothing for 50 seconds is dead and opened again", async () => {
  const world = createWorld();
  const env = world.environment();
  let streams = 0;
  world.tab(
    {},
    {
      eventSource: undefined,
      async fetch(url, init) {
        if (!url.includes(STREAM)) return env.fetch(url, init);
        streams++;
        return { status: 200, headers: new Headers(), text: async () => "", body: new ReadableStream<Uint8Array>() };
      },
    },
  );
  await world.pass(49_000);
  expect(streams).toBe(1);
  await world.pass(3_000);
  expect(streams).toBe(2);
});

test("tabs share one stream: the others hear of its events, and the next takes over when its tab goes", async () => {
  const world = createWorld();
  const [one, two, three] = [world.tab(), world.tab(), world.tab()];
  await world.pass(300);
  expect(world.sources).toHaveLength(1);
  world.messages = [message("new")];
  world.sources[0]?.event();
  await settle();
  for (const { tidings } of [one, two, three]) expect(ids(tidings.messages)).toEqual(["new"]);

  one.tidings.stop();
  await settle();
  expect(world.sources.map(({ closed }) => closed)).toEqual([true, false]);
  world.messages = [];
  world.sources[1]?.open();
  await settle();
  for (const { tidings } of [two, three]) expect(tidings.messages).toEqual([]);
  expect(ids(one.tidings.messages)).toEqual(["new"]);
});

test("where the browser has no locks each tab has a stream of its own", async () => {
  const world = createWorld();
  world.tab({}, { lock: undefined });
  world.tab({}, { lock: undefined });
  await settle();
  expect(world.sources).toHaveLength(2);
});

test("a page that goes gives its stream to another tab, and takes part again when it is back from the cache", async () => {
  const world = createWorld();
  world.tab();
  await settle();
  world.hide();
  expect(world.sources[0]?.closed).toBe(true);
  await world.pass(100_000);
  expect(world.sources).toHaveLength(1);
  world.wake();
  await settle();
  expect(world.sources).toHaveLength(2);
});

test("two people in two tabs have a stream each", async () => {
  const world = createWorld();
  world.tab();
  world.tab({ personId: "grace" });
  await settle();
  expect(world.sources.map(({ url }) => new URL(url).searchParams.get("person_id"))).toEqual(["ada", "grace"]);
});
