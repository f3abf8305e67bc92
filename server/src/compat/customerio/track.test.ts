import { IdentifierType, TrackClient } from "customerio-node";
import { describe, expect, test } from "vitest";
import { refused } from "../../../test/support/services/customerio.ts";
import { testService } from "../../../test/support/service.ts";
import { severed } from "../../../test/support/network/severed.ts";

const it = await testService();
const address = await it.service.listen();
const client = (base = address, key = it.secretKey) =>
  new TrackClient("any site", key, {
    url: `${base}/compat/customerio/api/v1`,
    retry: { minTimeoutMs: 1, maxTimeoutMs: 5 },
  });
const cio = client();

const person = async (id: string) => (await it.call("GET", `/api/v1/people/${encodeURIComponent(id)}`)).body;
const devices = async (id: string) => (await it.call("GET", `/api/v1/people/${id}/devices`)).body.data;
const events = (id: string): Promise<{ name: string; properties: Record<string, unknown>; ts: Date }[]> =>
  it.service.ground.db.query({
    text: `select e.name, e.properties, e.ts from events e join people p using (person_key)
           where p.person_id = $1 and p.workspace_id = $2 order by e.name`,
    values: [id, it.workspaceId],
  });

describe("identify", () => {
  test("makes a person, with attributes of every kind", async () => {
    expect(
      await cio.identify("ada", { email: "Ada@example.test", plan: "pro", created_at: 1_700_000_000, phone: "" }),
    ).toEqual({});
    expect(await person("ada")).toMatchObject({
      email: "ada@example.test",
      phone: null,
      subscribed: true,
      attributes: { plan: "pro", created_at: 1_700_000_000 },
    });
  });

  test("unsubscribed becomes the opposite subscribed, in each spelling of Customer.io's clients", async () => {
    for (const [unsubscribed, subscribed] of [
      [true, false],
      [false, true],
      ["true", false],
      ["", true],
    ] as const) {
      await cio.identify("unsub", { unsubscribed });
      expect((await person("unsub")).subscribed, String(unsubscribed)).toBe(subscribed);
    }
  });

  test("an email address in the path names its person, and creates one if nobody has it", async () => {
    await cio.identify("by-mail", { email: "by-mail@example.test" });
    await cio.identify("by-mail@example.test", { seen: 1 });
    expect((await person("by-mail")).attributes).toEqual({ seen: 1 });
    await cio.identify("New@example.test", { seen: 2 });
    expect(await person("new@example.test")).toMatchObject({ email: "new@example.test", attributes: { seen: 2 } });
  });

  test("_update creates nobody", async () => {
    await cio.identify("ghost", { _update: true, plan: "pro" });
    expect((await it.call("GET", "/api/v1/people/ghost")).status).toBe(404);
  });

  test("ids with slashes, spaces and other scripts keep their letters", async () => {
    for (const id of ["a/b?c#d", "with space", "Ünï-\u00fc-本", "%25"]) {
      await cio.identify(id, { ok: true });
      expect((await person(id)).person_id).toBe(id);
    }
  });

  test("an attribute of the wrong kind is 400 and says which", async () => {
    const error = await refused(cio.identify("ada", { email: "no address" }));
    expect([error.statusCode, error.message]).toEqual([400, expect.stringContaining("/attributes/email")]);
  });
});

describe("events", () => {
  test("are recorded with their data and their time in unix seconds", async () => {
    await cio.track("eve", { name: "bought", data: { price: 3 }, timestamp: 1_700_000_000 });
    expect(await events("eve")).toEqual([
      { name: "bought", properties: { price: 3 }, ts: new Date(1_700_000_000_000) },
    ]);
  });

  test("whose answer was lost count once, and two equal calls count twice", async () => {
    const network = await severed(address, 1);
    await client(network.address).track("once", { name: "paid" });
    expect(network.seen.map((call) => call.headers["x-retry-count"])).toEqual([undefined, "1"]);
    expect(await events("once")).toHaveLength(1);
    await cio.track("once", { name: "paid" });
    expect(await events("once")).toHaveLength(2);
  });

  test("with an id of their own count once for ever", async () => {
    for (let i = 0; i < 3; i++) await cio.track("ulid", { name: "paid", id: "01HQ7Z" });
    expect(await events("ulid")).toHaveLength(1);
  });

  test("a page view is the event page_viewed", async () => {
    await cio.trackPageView("pager", "/pricing");
    expect(await events("pager")).toMatchObject([{ name: "page_viewed", properties: { page: "/pricing" } }]);
  });

  test("a screen view is an event and feeds the catalog of screens", async () => {
    await cio.track("screener", { name: "Checkout", type: "screen", data: { step: 2 } });
    expect(await events("screener")).toMatchObject([
      { name: "screen_viewed", properties: { screen: "Checkout", step: 2 } },
    ]);
    const screens = (await it.call("GET", "/api/v1/screens")).body.data as { name: string }[];
    expect(screens.map((screen) => screen.name)).toContain("Checkout");
  });

  test("without a person are answered, counted and left out", async () => {
    expect(await cio.trackAnonymous("anon-1", { name: "visited" })).toEqual({});
    const { payload } = await it.service.app.inject("/metrics");
    expect(payload).toContain('tidings_compat_ignored_total{client="customerio",reason="anonymous"} 1');
  });
});

describe("devices", () => {
  test("are registered, move to the person who registers them last, and are removed", async () => {
    const token = `fcm:${"x".repeat(500)}/y`;
    await cio.addDevice("dev-1", token, "android", { last_used: 1_700_000_000, app_version: "1.2" });
    expect(await devices("dev-1")).toMatchObject([{ platform: "android", token, app_version: "1.2" }]);
    await cio.addDevice("dev-2", token, "android");
    expect(await devices("dev-1")).toEqual([]);
    await cio.deleteDevice("dev-2", token);
    expect(await devices("dev-2")).toEqual([]);
  });

  test("of another system are 400", async () => {
    const error = await refused(cio.addDevice("dev-3", "t", "palm"));
    expect([error.statusCode, error.message]).toEqual([400, expect.stringContaining("/device/platform")]);
  });
});

describe("destroy", () => {
  test("erases the person, and is no error if there is no such person", async () => {
    await cio.identify("gone", { email: "gone@example.test" });
    await cio.track("gone", { name: "came" });
    expect(await cio.destroy("gone")).toEqual({});
    expect((await it.call("GET", "/api/v1/people/gone")).status).toBe(404);
    expect(await cio.destroy("gone")).toEqual({});
  });
});

describe("suppress", () => {
  const send = (body: Record<string, unknown>) =>
    it.call("POST", "/data-gateway/transactionals/email", { body: { subject: "S", body: "B", ...body } });

  test("stops all messages until unsuppress", async () => {
    await cio.identify("quiet", { email: "quiet@example.test" });
    expect(await cio.suppress("quiet")).toEqual({});
    expect((await send({ identifiers: { id: "quiet" } })).body.status).toBe("suppressed");
    const list = await it.call("GET", "/api/v1/suppressions");
    expect(JSON.stringify(list.body.data)).toContain("quiet@example.test");
    expect(await cio.unsuppress("quiet")).toEqual({});
    expect((await send({ identifiers: { id: "quiet" } })).body.status).toBe("queued");
  });

  test("needs a secret key", async () => {
    expect((await refused(client(address, it.publicKey).suppress("quiet"))).statusCode).toBe(403);
    const operation = { type: "person", action: "suppress", identifiers: { id: "quiet" } };
    expect((await refused(client(address, it.publicKey).entity(operation))).statusCode).toBe(403);
    expect(await cio.entity({ ...operation, action: "suppress" })).toEqual({});
    expect((await person("quiet")).subscribed).toBe(false);
  });
});

describe("the second version of the API", () => {
  test("batch carries out the valid operations and names the others by their index", async () => {
    const answer = (await cio.batch([
      { type: "person", action: "identify", identifiers: { id: "batch-1" }, attributes: { plan: "pro" } },
      { type: "person", action: "event", identifiers: { email: "batch-2@example.test" }, name: "came" },
      { type: "person", action: "event", identifiers: { id: "batch-1" } },
      { type: "object", action: "identify", identifiers: { object_id: "o" } },
      { type: "person", action: "event", identifiers: { anonymous_id: "a" }, name: "came" },
      {
        type: "person",
        action: "add_device",
        identifiers: { id: "batch-1" },
        device: { token: "b-1", platform: "ios" },
      },
    ])) as { errors: { batch_index: number }[] };
    expect(answer.errors.map((error) => error.batch_index)).toEqual([2, 3]);
    expect((await person("batch-1")).attributes).toEqual({ plan: "pro" });
    expect((await person("batch-2@example.test")).email).toBe("batch-2@example.test");
    expect(await devices("batch-1")).toHaveLength(1);
    expect(await cio.batch([{ type: "person", action: "page", identifiers: { id: "batch-1" }, name: "/" }])).toEqual(
      {},
    );
  });

  test("entity carries out one operation, repeated or not", async () => {
    await client((await severed(address, 1)).address).entity({
      type: "person",
      action: "event",
      identifiers: { id: "entity" },
      name: "came",
    });
    expect(await events("entity")).toHaveLength(1);
    await cio.entity({ type: "person", action: "delete", identifiers: { id: "entity" } });
    expect((await it.call("GET", "/api/v1/people/entity")).status).toBe(404);
    expect((await refused(cio.entity({ type: "person", action: "merge", identifiers: { id: "x" } }))).statusCode).toBe(
      400,
    );
  });
});

describe("keys", () => {
  test("a wrong one is 401 in Customer.io's shape, and a site id is no key", async () => {
    for (const key of ["nonsense", `${it.secretKey}x`, ""]) {
      const error = await refused(client(address, key).identify("ada", {}));
      expect([error.statusCode, error.message]).toEqual([401, expect.stringContaining("API key")]);
    }
  });

  test("a public one reports about people, and neither erases nor reads them", async () => {
    const app = client(address, it.publicKey);
    await app.identify("pub", { plan: "free" });
    await app.track("pub", { name: "came" });
    expect((await refused(app.destroy("pub"))).statusCode).toBe(403);
    const erase = { type: "person", action: "delete", identifiers: { id: "pub" } };
    expect((await refused(app.entity(erase))).statusCode).toBe(403);
    expect((await person("pub")).person_id).toBe("pub");
  });

  test("each workspace has its own people", async () => {
    const other = await it.another();
    await client(address, other.secretKey).identify("ada", { plan: "other" });
    await client(address, other.secretKey).destroy("ada@example.test");
    expect((await person("ada")).attributes.plan).toBe("pro");
  });

  test("if a proof is required, an application reports about the proven person only", async () => {
    const other = await it.another();
    await it.call("PATCH", "/api/v1/workspace", { key: other.secretKey, body: { identity_verification: "required" } });
    const error = await refused(client(address, other.publicKey).identify("ada", {}));
    expect(error.statusCode).toBe(401);
    expect(await client(address, other.secretKey).identify("ada", {})).toEqual({});
  });
});

test("merging makes two people one, by any identifier, in both versions of their API", async () => {
  for (const id of ["stay", "go", "go-2"]) await cio.identify(id, { email: `${id}@example.test`, [id]: true });
  expect(await cio.mergeCustomers(IdentifierType.Email, "stay@example.test", IdentifierType.Id, "go")).toEqual({});
  const [primary, secondary] = [{ id: "stay" }, { id: "go-2" }];
  await cio.entity({ type: "person", action: "merge", primary, secondary } as never);
  expect((await person("stay")).attributes).toEqual({ stay: true, go: true, "go-2": true });
  expect([(await person("go")).code, (await person("go-2")).code]).toEqual(["person_not_found", "person_not_found"]);
  const app = client(address, it.publicKey);
  for (const call of [
    () => app.mergeCustomers(IdentifierType.Id, "ada", IdentifierType.Id, "stay"),
    () => app.entity({ type: "person", action: "merge", primary, secondary } as never),
  ])
    expect((await refused(call())).statusCode).toBe(403);
  expect((await refused(cio.mergeCustomers(IdentifierType.Id, "stay", IdentifierType.Id, "nobody"))).statusCode).toBe(
    404,
  );
});

test("the region is the address of this service", async () => {
  expect(await cio.getAccountRegion()).toMatchObject({ url: expect.stringMatching(/\/compat\/customerio$/) });
});

test("what Tidings does not have is a 404 that says so, as JSON and without a redirect", async () => {
  for (const call of [() => cio.addCustomersToSegment(1, ["a"]), () => cio.submitForm("f", { email: "a@b.test" })]) {
    const error = await refused(call());
    expect([error.statusCode, error.message]).toEqual([404, expect.stringContaining("docs/migrate.md")]);
  }
});
