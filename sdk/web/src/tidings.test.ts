import { expect, test } from "vitest";
import { createWorld, message, settle } from "../test/support/world.ts";
import type { TidingsOptions } from "./api.ts";
import { createCore } from "./tidings.ts";

const SYNC = "in-app/messages/sync";
const EXPIRED = { status: 401, body: { code: "person_token_expired", detail: "Expired." } };

test("whatever it is called with and whatever breaks around it, nothing is thrown into the page", async () => {
  const world = createWorld();
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const odd = [undefined, null, 3, 10n, Symbol("x"), circular, () => {}, "\ud800", { toString: 1 }, new Proxy({}, {})];
  const broken = () => {
    throw new Error("broken");
  };
  const environments = [
    {},
    { fetch: broken, storage: undefined, eventSource: undefined, lock: undefined, channel: undefined },
    { eventSource: broken, lock: broken, channel: broken, later: broken, uuid: broken, now: broken, zone: broken },
    { listen: broken, online: broken, visible: broken, random: broken, offset: broken, subscribePush: broken },
  ];
  for (const env of environments) {
    for (const value of odd) {
      const options = { baseUrl: value, apiKey: value, personId: value, pollSeconds: value, onError: broken };
      for (const given of [
        options as unknown as TidingsOptions,
        { baseUrl: "x", apiKey: "tid_pub_x", personId: "ada", onError: broken },
      ]) {
        const tidings = createCore(given, { ...world.environment(), ...env });
        tidings.subscribe(broken);
        const methods = { ...tidings, ...tidings.inbox } as unknown as Record<string, unknown>;
        for (const name of Object.keys(methods)) {
          if (typeof methods[name] === "function")
            await (methods[name] as (...all: unknown[]) => unknown)(value, value);
        }
        await tidings.sync();
        await tidings.logout();
        tidings.stop();
      }
    }
  }
  await settle();
});

test("onError hears what went wrong, but not that the device is offline", async () => {
  const world = createWorld();
  const { tidings, errors } = world.tab();
  world.online = false;
  await tidings.sync();
  expect(errors).toEqual([]);
  world.online = true;
  world.answer = () => ({ status: 403, body: { code: "workspace_suspended", detail: "Suspended." } });
  await tidings.sync();
  expect(errors).toMatchObject([{ name: "TidingsError", status: 403, code: "workspace_suspended" }]);
});

test("calls that fail together on an expired token renew it once, and each is repeated once", async () => {
  const world = createWorld();
  let tokens = 0;
  world.answer = ({ headers }) => (headers["x-person-token"] === "1" ? EXPIRED : undefined);
  const { tidings, errors } = world.tab({ getPersonToken: async () => `${++tokens}` });
  tidings.track("one");
  tidings.click("dlv_1");
  await Promise.all([tidings.sync(), tidings.inbox.load(), world.pass(0)]);
  expect(tokens).toBe(2);
  expect(errors).toEqual([]);
  expect(world.stored.size).toBe(0);
});

test.each(["person_token_expired", "person_token_missing", "person_token_invalid"])(
  "a call that is %s again with the new token is told, and not repeated for ever",
  async (code) => {
    const world = createWorld();
    let tokens = 0;
    world.answer = () => ({ status: 401, body: { code } });
    const { tidings, errors } = world.tab({ getPersonToken: async () => `${++tokens}`, autoStart: false });
    await tidings.sync();
    expect([tokens, world.calls.length]).toEqual([2, 2]);
    expect(errors).toMatchObject([{ status: 401, code }]);
  },
);

test("a refusal that comes late, of a token that was renewed meanwhile, does not renew it again", async () => {
  const world = createWorld();
  let tokens = 0;
  let late = () => {};
  world.answer = async ({ path, headers }) => {
    if (headers["x-person-token"] !== "1") return undefined;
    if (path === SYNC) await new Promise<void>((resolve) => (late = resolve));
    return EXPIRED;
  };
  const { tidings, errors } = world.tab({ getPersonToken: async () => `${++tokens}`, autoStart: false });
  const sync = tidings.sync();
  await tidings.inbox.load();
  late();
  await sync;
  expect([tokens, errors]).toEqual([2, []]);
});

test("another person never gets the token of the one before", async () => {
  const world = createWorld();
  const { tidings } = world.tab({ getPersonToken: async () => `of ${who}`, autoStart: false });
  let who = "ada";
  await tidings.sync();
  who = "grace";
  tidings.login("grace");
  await tidings.sync();
  expect(world.to(SYNC).map(({ headers }) => headers["x-person-token"])).toEqual(["of ada", "of grace"]);
});

test("what was stopped stays silent, also when a pause that the service asked for is over", async () => {
  const world = createWorld();
  const { tidings } = world.tab();
  world.answer = () => ({ status: 429, headers: { "retry-after": "10" } });
  await tidings.sync();
  tidings.stop();
  world.calls.length = 0;
  await world.pass(200_000);
  expect(world.calls).toEqual([]);
});

test("a wrong key is no reason to fetch a token", async () => {
  const world = createWorld();
  let tokens = 0;
  world.answer = () => ({ status: 401, body: { code: "unauthenticated" } });
  const { tidings } = world.tab({ getPersonToken: async () => `${++tokens}`, autoStart: false });
  await tidings.sync();
  expect([tokens, world.calls.length]).toEqual([1, 1]);
});

test("a getPersonToken that fails or never answers is asked again at the next call", async () => {
  const world = createWorld();
  let attempt = 0;
  const getPersonToken = (): Promise<string> => {
    if (++attempt === 1) return new Promise(() => {});
    if (attempt === 2) throw new Error("not now");
    return Promise.resolve("third");
  };
  const { tidings, errors } = world.tab({ getPersonToken, autoStart: false });
  const first = tidings.sync();
  await world.pass(15_000);
  await first;
  await tidings.sync();
  expect(world.calls).toEqual([]);
  expect(errors).toHaveLength(2);
  await tidings.sync();
  expect(world.to(SYNC)[0]?.headers["x-person-token"]).toBe("third");
});

test("without a person nothing is asked; from login on it is, on the screen that was said before", async () => {
  const world = createWorld();
  const { tidings, errors } = world.tab({ personId: undefined });
  tidings.setScreen("home");
  await tidings.sync();
  tidings.track("too early");
  await world.pass(70_000);
  expect(world.calls).toEqual([]);
  expect(errors).toMatchObject([{ code: "no_person" }]);
  tidings.login("ada");
  await world.pass(300);
  expect(world.to(SYNC)[0]?.query.get("screen")).toBe("home");
});

test("logout forgets everything, in the other tabs too, and the answers on their way come to nothing", async () => {
  const world = createWorld();
  world.messages = [message("one")];
  world.push = { endpoint: "https://push.example/1", keys: {} };
  const [here, there] = [world.tab(), world.tab()];
  await world.pass(300);
  expect(await here.tidings.registerWebPush({ applicationServerKey: "k", serviceWorkerUrl: "/sw.js" })).toBe(true);
  expect(world.to("devices")[0]).toMatchObject({
    method: "PUT",
    json: { person_id: "ada", platform: "web", subscription: world.push },
  });
  world.answer = ({ path }) => (path === "batch" ? { status: 500 } : undefined);
  here.tidings.track("waits");
  const late = here.tidings.sync();
  await here.tidings.logout();
  await late;
  expect(world.stored.size).toBe(0);
  for (const { tidings } of [here, there]) expect(tidings.messages).toEqual([]);
  expect(world.sources.every(({ closed }) => closed)).toBe(true);
  expect(world.to("devices").at(-1)).toMatchObject({
    method: "DELETE",
    json: { person_id: "ada", token: "https://push.example/1" },
  });
  expect(world.pushEnded).toBe(1);
  world.calls.length = 0;
  world.wake();
  await world.pass(200_000);
  expect(world.calls).toEqual([]);
});

test("what is done right before logout still goes out", async () => {
  const world = createWorld();
  const { tidings } = world.tab();
  tidings.dismiss("dlv_1");
  await tidings.logout();
  await settle();
  expect(world.to("in-app/messages/interactions")).toHaveLength(1);
});

test("web push says false where the person or the browser refuses", async () => {
  const world = createWorld();
  const { tidings, errors } = world.tab();
  expect(await tidings.registerWebPush({ applicationServerKey: "k", serviceWorkerUrl: "/sw.js" })).toBe(false);
  world.push = { endpoint: "https://push.example/1", keys: {} };
  world.answer = ({ path }) => (path === "devices" ? { status: 400 } : undefined);
  expect(await tidings.registerWebPush({ applicationServerKey: "k", serviceWorkerUrl: "/sw.js" })).toBe(false);
  expect(errors).toHaveLength(1);
});
