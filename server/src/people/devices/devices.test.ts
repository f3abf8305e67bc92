import { describe, expect, test } from "vitest";
import { testClock, testService } from "../../../test/support/service.ts";
import { personKey } from "../../workspaces/index.ts";
import { registerDevice } from "./devices.ts";
import { devicesFor } from "./devices-store.ts";
import { isPushEndpoint } from "./push-services.ts";

const clock = testClock();
const it = await testService({ clock });
const put = (body: object) => it.call("PUT", "/data-gateway/v1/devices", { body, key: it.publicKey });
const tokensOf = async (person: string): Promise<string[]> =>
  (await it.call("GET", `/api/v1/people/${person}/devices`)).body.data.map(({ token }: { token: string }) => token);
const keys = { p256dh: "BPk", auth: "aut" };

/** Registers devices one after the other, each later than the one before. */
async function register(person_id: string, tokens: string[]): Promise<void> {
  for (const token of tokens) {
    clock.forward(1_000);
    expect((await put({ person_id, platform: "android", token })).status).toBe(200);
  }
}
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}-${i}`);

describe("a person's devices", () => {
  test("are twenty at most: another one replaces the one that was unused for longest", async () => {
    await register("ann", numbered("ann", 20));
    await register("ann", ["ann-0", "new"]);
    expect(await tokensOf("ann")).toEqual(["new", "ann-0", ...numbered("ann", 20).slice(2).toReversed()]);
    await register("bob", ["bob"]);
    expect(await tokensOf("ann")).toHaveLength(20);
  });

  test("are twenty at most also where many are registered at once", async () => {
    const answers = await Promise.all(
      numbered("gil", 40).map((token) => put({ person_id: "gil", platform: "android", token })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await tokensOf("gil")).toHaveLength(20);
  });

  test("have a token that nobody else has, also where several people register it at once", async () => {
    const people = numbered("shared", 12);
    const answers = await Promise.all(
      people.map((person_id) => put({ person_id, platform: "ios", token: "shared phone" })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const owners = await Promise.all(people.map(tokensOf));
    expect(owners.flat()).toEqual(["shared phone"]);
  });

  test("with dead tokens are replaced first", async () => {
    await register("cat", numbered("cat", 20));
    const text = "update devices set disabled_at = now() where token = 'cat-19'";
    expect(await it.service.ground.db.execute({ text, values: [] })).toBe(1);
    await register("cat", ["new"]);
    const left = await tokensOf("cat");
    expect([left.length, left.includes("cat-19"), left.includes("cat-0")]).toEqual([20, false, true]);
  });

  test("are twenty after a merge, and a push goes to the newest twenty of a person who had more", async () => {
    await register("dan", numbered("dan", 15));
    await register("eve", numbered("eve", 15));
    const { db } = it.service.ground;
    const more =
      "insert into devices select person_key, gen_random_uuid(), workspace_id, platform, token || $2, subscription, app_version, created_at, last_used_at - interval '1 day' from devices where person_key = $1";
    const key = personKey(it.workspaceId, "eve");
    await db.execute({ text: more, values: [key, "-old"] });
    expect(await devicesFor(db, key, "all")).toHaveLength(20);
    expect(await devicesFor(db, key, "eve-0-old")).toHaveLength(1);
    expect((await it.call("POST", "/api/v1/people/dan/merge", { body: { into: "eve" } })).status).toBe(200);
    expect((await tokensOf("eve")).toSorted()).toEqual(
      [...numbered("eve", 15), ...numbered("dan", 15).slice(10)].toSorted(),
    );
  });
});

describe("a browser's subscription", () => {
  test.each([
    "https://fcm.googleapis.com/fcm/send/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://wns2-par02p.notify.windows.com/w/?token=abc",
    "https://web.push.apple.com/abc",
    "https://push.example:8443/abc",
  ])("at a known push service or one that the operator adds is taken: %s", async (endpoint) => {
    expect((await put({ person_id: "web", platform: "web", subscription: { endpoint, keys } })).status).toBe(200);
  });

  test.each([
    "https://attacker.test/abc",
    "https://fcm.googleapis.com.attacker.test/abc",
    "https://fcm.googleapis.com@attacker.test/abc",
    "https://fcm.googleapis.com:8443/abc",
    "https://notify.windows.com.attacker.test/",
    "https://xnotify.windows.com/",
    "https://[::1]/abc",
    "https://169.254.169.254/latest",
  ])("anywhere else is refused, names the field and changes nothing: %s", async (endpoint) => {
    const answer = await put({ person_id: "nobody", platform: "web", subscription: { endpoint, keys } });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(answer.body.errors[0].pointer).toBe("/subscription/endpoint");
    expect(answer.body.detail).toContain("WEB_PUSH_HOSTS");
    expect((await it.call("GET", "/api/v1/people/nobody")).status).toBe(404);
  });

  test("at an unknown host is refused for every caller, and the operator adds hosts by name or with all below one", async () => {
    const input = { person_id: "x", platform: "web" as const, subscription: { endpoint: "https://a.test/1", keys } };
    const { newPeople, config } = it.service.ground;
    const ground = { newPeople, config: { ...config, webPushHosts: ["b.test"] } };
    const registered = it.service.ground.db.transaction((tx) =>
      registerDevice(tx, ground, { workspaceId: it.workspaceId, limit: undefined }, { input, now: clock.now() }),
    );
    await expect(registered).rejects.toMatchObject({ code: "invalid_request" });
    expect(isPushEndpoint("https://a.test/1", ["*.test"])).toBe(true);
    expect(isPushEndpoint("https://test/1", ["*.test"])).toBe(false);
    expect(isPushEndpoint("https://a.test:9/1", ["a.test"])).toBe(true);
    expect(isPushEndpoint("nowhere", ["*.test"])).toBe(false);
  });
});
