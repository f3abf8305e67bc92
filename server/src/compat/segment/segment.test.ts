import { randomUUID } from "node:crypto";
import { Analytics } from "@segment/analytics-node";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { severed } from "../../../test/support/network/severed.ts";

const it = await testService();
const address = await it.service.listen();
type Failure = { code: string; reason?: unknown };

/** Does what an application does, and returns the errors that its client reported after everything was sent. */
async function analytics(work: (client: Analytics) => void, base = address, key = it.publicKey): Promise<Failure[]> {
  const client = new Analytics({ writeKey: key, host: base, path: "/compat/segment/v1/batch", maxRetries: 3 });
  const errors: Failure[] = [];
  client.on("error", (error) => errors.push(error as Failure));
  work(client);
  await client.closeAndFlush({ timeout: 20_000 });
  return errors;
}

const person = async (id: string) => (await it.call("GET", `/api/v1/people/${encodeURIComponent(id)}`)).body;
const events = (id: string): Promise<{ name: string; properties: Record<string, unknown>; ts: Date }[]> =>
  it.service.ground.db.query({
    text: `select e.name, e.properties, e.ts from events e join people p using (person_key)
           where p.person_id = $1 and p.workspace_id = $2 order by e.name`,
    values: [id, it.workspaceId],
  });
const ignored = async (reason: string): Promise<number> => {
  const { payload } = await it.service.app.inject("/metrics");
  return Number(new RegExp(`client="segment",reason="${reason}"\\} (\\d+)`).exec(payload)?.[1] ?? 0);
};
const post = (path: string, body: unknown, key: string | null = it.publicKey) =>
  it.call("POST", `/compat/segment${path}`, { key, body });

describe("analytics-node", () => {
  test("identify stores traits by their names, and leaves out values that don't fit their names", async () => {
    const before = await ignored("trait");
    const errors = await analytics((client) =>
      client.identify({
        userId: "ada",
        traits: { email: "Ada@example.test", phone: "ask me", firstName: "Ada", address: { city: "Wien" }, age: 36 },
      }),
    );
    expect(errors).toEqual([]);
    expect(await person("ada")).toMatchObject({
      claimed_email: "ada@example.test",
      claimed_phone: null,
      attributes: { firstName: "Ada", address: { city: "Wien" }, age: 36 },
    });
    expect(await ignored("trait")).toBe(before + 1);
  });

  test("track is an event, counted once by its messageId", async () => {
    const messageId = randomUUID();
    for (let i = 0; i < 2; i++)
      await analytics((client) =>
        client.track({ userId: "tracker", event: "Order Completed", properties: { total: 3 }, messageId }),
      );
    expect(await events("tracker")).toMatchObject([{ name: "Order Completed", properties: { total: 3 } }]);
  });

  test("a batch whose answer was lost is sent again and counts once", async () => {
    const network = await severed(address, 1);
    const errors = await analytics((client) => {
      client.track({ userId: "lossy", event: "one" });
      client.track({ userId: "lossy", event: "two" });
    }, network.address);
    expect(errors).toEqual([]);
    expect(network.seen.length).toBeGreaterThan(1);
    expect((await events("lossy")).map((event) => event.name)).toEqual(["one", "two"]);
  });

  test("page is the event page_viewed; screen is screen_viewed and feeds the catalog", async () => {
    await analytics((client) => {
      client.page({
        userId: "viewer",
        category: "Docs",
        name: "Pricing",
        properties: { url: "https://x.test/pricing" },
      });
      client.screen({ userId: "viewer", name: "Profile", properties: { tab: 2 } });
    });
    expect(await events("viewer")).toMatchObject([
      { name: "page_viewed", properties: { page: "Pricing", category: "Docs", url: "https://x.test/pricing" } },
      { name: "screen_viewed", properties: { screen: "Profile", tab: 2 } },
    ]);
    const screens = (await it.call("GET", "/api/v1/screens")).body.data as { name: string }[];
    expect(screens.map((screen) => screen.name)).toEqual(["Profile"]);
  });

  test("group is the attribute group", async () => {
    await analytics((client) =>
      client.group({ userId: "member", groupId: "g-1", traits: { name: "Acme", plan: "pro" } }),
    );
    expect((await person("member")).attributes).toEqual({ group: { id: "g-1", name: "Acme", plan: "pro" } });
  });

  test("alias and messages without a person are left out and counted, without an error", async () => {
    const [alias, anonymous] = [await ignored("alias"), await ignored("anonymous")];
    const errors = await analytics((client) => {
      client.alias({ userId: "new-id", previousId: "old-id" });
      client.track({ anonymousId: "anon", event: "visited" });
      client.identify({ anonymousId: "anon", traits: { plan: "free" } });
    });
    expect(errors).toEqual([]);
    expect([await ignored("alias"), await ignored("anonymous")]).toEqual([alias + 1, anonymous + 2]);
    expect((await it.call("GET", "/api/v1/people/new-id")).status).toBe(404);
  });

  test("context.device.token registers a device, which follows the person", async () => {
    const context = { device: { token: "apns-1", type: "ios" }, app: { version: "2.1" } } as never;
    await analytics((client) => client.track({ userId: "phone-1", event: "opened", context }));
    const of = async (id: string) => (await it.call("GET", `/api/v1/people/${id}/devices`)).body.data;
    expect(await of("phone-1")).toMatchObject([{ platform: "ios", token: "apns-1", app_version: "2.1" }]);
    await analytics((client) => client.identify({ userId: "phone-2", context }));
    expect([await of("phone-1"), await of("phone-2")]).toMatchObject([[], [{ token: "apns-1" }]]);
  });

  test("a wrong key is an error in the client, and nothing is stored", async () => {
    const errors = await analytics((client) => client.track({ userId: "nobody", event: "x" }), address, "wrong");
    expect(errors).toMatchObject([{ code: "delivery_failure" }]);
    expect(String((errors[0]?.reason as Error | undefined)?.message)).toContain("401");
    expect(await events("nobody")).toEqual([]);
  });

  test("each workspace has its own people", async () => {
    const other = await it.another();
    await analytics((client) => client.identify({ userId: "ada", traits: { age: 1 } }), address, other.publicKey);
    expect((await person("ada")).attributes.age).toBe(36);
  });
});

describe("the routes", () => {
  test("a bad message does not spoil the others", async () => {
    const invalid = await ignored("invalid");
    const answer = await post("/v1/batch", {
      batch: [
        null,
        7,
        { type: "track", userId: "ok" },
        { type: "track", userId: "x".repeat(300), event: "e" },
        { type: "track", userId: "ok", event: "big", properties: { text: "x".repeat(33_000) } },
        { type: "dance", userId: "ok" },
        { type: "track", userId: 17, event: "numbered" },
        { type: "track", userId: "ok", event: "fine", timestamp: "yesterday", messageId: "y".repeat(500) },
      ],
    });
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await events("ok")).map((event) => event.name)).toEqual(["fine"]);
    expect(await events("17")).toHaveLength(1);
    expect(await ignored("invalid")).toBe(invalid + 4);
    expect(await ignored("too_large")).toBe(1);
    expect(await ignored("unknown_type")).toBe(1);
  });

  test("the time of an event is by the service's clock, however wrong the client's is", async () => {
    const sentAt = "2001-01-01T00:10:00.000Z";
    await post("/v1/batch", {
      sentAt,
      batch: [{ type: "track", userId: "clock", event: "ten minutes before", timestamp: "2001-01-01T00:00:00.000Z" }],
    });
    await post("/v1/track", { userId: "clock", event: "without sentAt", timestamp: "2020-02-02T00:00:00.000Z" });
    const [first, second] = await events("clock");
    expect(Math.abs(Date.now() - 600_000 - (first as { ts: Date }).ts.getTime())).toBeLessThan(300_000);
    expect(second?.ts).toEqual(new Date("2020-02-02T00:00:00.000Z"));
  });

  test("a malformed request is 400 in Segment's shape, never 500", async () => {
    for (const text of ["", "{", "null", "[]", "7", "{}", '{"batch":{}}', '{"batch":[],"batch":[]}']) {
      for (const type of ["application/json", "text/plain"]) {
        const answer = await it.call("POST", "/compat/segment/v1/batch", {
          raw: text,
          headers: { "content-type": type },
        });
        expect([answer.status, answer.body.success, typeof answer.body.message], text).toEqual([400, false, "string"]);
      }
    }
    const unknown = await post("/v1/nothing", {}, it.secretKey);
    expect([unknown.status, unknown.body.success]).toEqual([404, false]);
    const nobody = await post("/v1/track", {}, null);
    expect([nobody.status, nobody.body.code]).toEqual([401, "unauthenticated"]);
  });

  test("if a proof is required, only messages of the proven person count", async () => {
    const other = await it.another();
    await it.call("PATCH", "/api/v1/workspace", { key: other.secretKey, body: { identity_verification: "required" } });
    const message = { batch: [{ type: "track", userId: "ada", event: "e" }] };
    expect((await post("/v1/batch", message, other.publicKey)).body.code).toBe("person_token_missing");
    expect((await post("/v1/batch", message, other.secretKey)).status).toBe(200);

    const { body: signing } = await it.call("POST", "/api/v1/signing-secrets", { key: other.secretKey, body: {} });
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: "HS256", kid: signing.kid })
      .setSubject("grace")
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode(signing.secret));
    const before = await ignored("another_person");
    const answer = await it.call("POST", "/compat/segment/v1/batch", {
      key: other.publicKey,
      headers: { "x-person-token": token },
      body: {
        batch: [
          { type: "identify", userId: "grace", traits: { mine: true } },
          { type: "identify", userId: "ada", traits: { stolen: true } },
        ],
      },
    });
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect(await ignored("another_person")).toBe(before + 1);
    const read = async (id: string) => (await it.call("GET", `/api/v1/people/${id}`, { key: other.secretKey })).body;
    expect([(await read("grace")).attributes, (await read("ada")).attributes]).toEqual([{ mine: true }, {}]);
  });
});
