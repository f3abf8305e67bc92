import { describe, expect, test } from "vitest";
import { testClock, testService } from "../../test/support/service.ts";

const clock = testClock("2026-03-01T12:00:00.000Z");
const it = await testService({ clock });
const gateway = "/data-gateway/v1";
const identify = (body: unknown, key = it.publicKey) => it.call("POST", `${gateway}/identify`, { body, key });
const track = (body: unknown, key = it.publicKey) => it.call("POST", `${gateway}/track`, { body, key });
const person = async (id: string) => (await it.call("GET", `/api/v1/people/${encodeURIComponent(id)}`)).body;

describe("identify", () => {
  test("the first call creates the person and the second merges", async () => {
    const first = await identify({
      person_id: "ada",
      attributes: { email: "Ada@Example.org ", plan: "pro", seats: 3 },
    });
    expect(first).toMatchObject({ status: 200, body: { person_id: "ada", created: true } });
    const second = await identify({
      person_id: "ada",
      attributes: { seats: 4, phone: "+49 151 12345678", timezone: "Europe/Berlin" },
    });
    expect(second.body).toEqual({ person_id: "ada", created: false });
    expect(await person("ada")).toMatchObject({
      // With a public key the address is only claimed.
      claimed_email: "ada@example.org",
      claimed_phone: "+4915112345678",
      timezone: "Europe/Berlin",
      subscribed: true,
      attributes: { plan: "pro", seats: 4 },
    });
  });

  test("null removes an attribute, absence keeps it", async () => {
    await identify({
      person_id: "bob",
      attributes: { email: "bob@example.org", plan: "pro", city: "Graz", locale: "de-AT" },
    });
    await identify({ person_id: "bob", attributes: { email: null, plan: null } });
    expect(await person("bob")).toMatchObject({ email: null, locale: "de-AT", attributes: { city: "Graz" } });
    expect((await person("bob")).attributes).not.toHaveProperty("plan");
  });

  test("one person identified many times at once exists once, and each of the calls' attributes is kept", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => identify({ person_id: "crowd", attributes: { [`a${i}`]: i } })),
    );
    expect(answers.filter((answer) => answer.body.created)).toHaveLength(1);
    expect(Object.keys((await person("crowd")).attributes)).toHaveLength(40);
  });

  test.each([
    [{ person_id: "x", attributes: { email: "no address" } }, "/attributes/email"],
    [{ person_id: "x", attributes: { email: 5 } }, "/attributes/email"],
    [{ person_id: "x", attributes: { phone: "call me" } }, "/attributes/phone"],
    [{ person_id: "x", attributes: { timezone: "Mars/Olympus" } }, "/attributes/timezone"],
    [{ person_id: "x", attributes: { subscribed: "yes" } }, "/attributes/subscribed"],
    [{ person_id: "x".repeat(257) }, "/person_id"],
    [{ person_id: "" }, "/person_id"],
    [{ person_id: "tab\there" }, "/person_id"],
    [{ person_id: 7 }, "/person_id"],
    [{ attributes: {} }, "/person_id"],
    [{ person_id: "x", ts: "yesterday" }, "/ts"],
    [{ person_id: "x", ts: "2026-02-30T00:00:00Z" }, "/ts"],
    [{ person_id: "x", ts: "+275760-09-13T00:00:00Z" }, "/ts"],
  ])("%j is 400, names the field and changes nothing", async (body, pointer) => {
    const answer = await identify(body);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request", errors: [{ pointer }] } });
    expect((await it.call("GET", "/api/v1/people/x")).status).toBe(404);
  });

  test("unknown fields are ignored, because clients live in the wild", async () => {
    expect((await identify({ person_id: "wild", traits: { a: 1 }, sdk: "9.9" })).status).toBe(200);
  });

  test("attributes over 32 KiB are 413", async () => {
    expect((await identify({ person_id: "big", attributes: { text: "x".repeat(33_000) } })).body.code).toBe(
      "payload_too_large",
    );
  });

  test("a person of one workspace is unknown in another", async () => {
    const other = await it.another();
    await identify({ person_id: "mine" });
    expect((await it.call("GET", "/api/v1/people/mine", { key: other.secretKey })).status).toBe(404);
    expect((await it.call("GET", "/api/v1/people/mine/activity", { key: other.secretKey })).status).toBe(404);
  });
});

describe("track", () => {
  test("an event is recorded once for its event_id, also when it comes many times at once", async () => {
    const body = { person_id: "eve", eventName: "order_placed", properties: { total: 5 }, event_id: "order-1" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => track(body)));
    expect(answers.every((answer) => answer.status === 202 && answer.body.event_id === "order-1")).toBe(true);
    expect(answers.filter((answer) => answer.body.recorded)).toHaveLength(1);
    expect((await track(body)).body.recorded).toBe(false);
  });

  test("without an event_id each call counts and gets an id of ours", async () => {
    const [one, two] = [
      await track({ person_id: "eve", eventName: "seen" }),
      await track({ person_id: "eve", eventName: "seen" }),
    ];
    expect(one.body.event_id).toMatch(/^evt_[0-9a-z]{26}$/);
    expect(one.body.event_id).not.toBe(two.body.event_id);
  });

  test("an event makes its person known", async () => {
    await track({ person_id: "new by event", eventName: "seen" });
    expect((await person("new by event")).person_id).toBe("new by event");
  });

  test("properties over 32 KiB are 413", async () => {
    expect(await track({ person_id: "eve", eventName: "big", properties: { text: "x".repeat(33_000) } })).toMatchObject(
      { status: 413 },
    );
  });
});

describe("screen_view", () => {
  const view = (screen: unknown) => track({ person_id: "viewer", eventName: "screen_view", properties: { screen } });
  const catalog = async (query = "") => (await it.call("GET", `/api/v1/screens${query}`)).body;

  test("it goes to the catalog only: no event, no person", async () => {
    const answer = await view("  /profile ");
    expect(answer).toMatchObject({
      status: 202,
      body: { recorded: false, screen: { name: "/profile", accepted: true } },
    });
    expect((await it.call("GET", "/api/v1/people/viewer")).status).toBe(404);
    expect((await catalog("?q=prof")).data).toEqual([
      { name: "/profile", first_seen: "2026-03-01T12:00:00.000Z", last_seen: "2026-03-01T12:00:00.000Z" },
    ]);
  });

  test("names are case-sensitive, each kept once, and last_seen moves at most once a minute", async () => {
    for (const name of ["Home", "home", "/home", "Home"]) await view(name);
    clock.forward(30_000);
    await view("Home");
    expect((await catalog("?q=home")).data.map((entry: { name: string }) => entry.name)).toEqual([
      "/home",
      "Home",
      "home",
    ]);
    expect((await catalog("?q=Home")).data[1].last_seen).toBe("2026-03-01T12:00:00.000Z");
    clock.forward(30_000);
    await view("Home");
    expect((await catalog("?q=Home")).data[1].last_seen).toBe("2026-03-01T12:01:00.000Z");
  });

  test("a rejected name is no error for the client", async () => {
    expect((await view("[object Object]")).body).toEqual({
      recorded: false,
      screen: { name: "[object Object]", accepted: false, reason: "technical_name" },
    });
    expect((await view(undefined)).body.screen).toMatchObject({ accepted: false, reason: "empty" });
    expect((await view("x".repeat(201))).body.screen).toMatchObject({ accepted: false, reason: "too_long" });
  });

  test("the list is paged by its cursor, and a forged cursor is 400", async () => {
    for (let i = 0; i < 5; i++) await view(`paged.${i}`);
    const first = await catalog("?q=paged&limit=2");
    const second = await catalog(`?q=paged&limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data].map((entry: { name: string }) => entry.name)).toEqual([
      "paged.0",
      "paged.1",
      "paged.2",
      "paged.3",
    ]);
    expect((await it.call("GET", "/api/v1/screens?cursor=nonsense")).status).toBe(400);
    expect(
      (await it.call("GET", `/api/v1/people?cursor=${Buffer.from('["1","2"]').toString("base64url")}`)).status,
    ).toBe(400);
  });
});

describe("batch", () => {
  test("each item has its result in order, and a bad one does not spoil the others", async () => {
    const items = [
      { type: "identify", person_id: "batch-1", attributes: { plan: "a" } },
      { type: "track", person_id: "batch-1" },
      { type: "track", person_id: "batch-1", eventName: "x" },
      { type: "nonsense" },
      null,
      { type: "track", person_id: "batch-1", eventName: "big", properties: { text: "x".repeat(33_000) } },
      { type: "identify", person_id: "batch-1", attributes: { plan: "b" } },
    ];
    const answer = await it.call("POST", `${gateway}/batch`, { body: { items }, key: it.publicKey });
    expect(answer.body).toEqual({
      results: [
        { status: 200 },
        { status: 400, code: "invalid_request" },
        { status: 202 },
        { status: 400, code: "invalid_request" },
        { status: 400, code: "invalid_request" },
        { status: 413, code: "payload_too_large" },
        { status: 200 },
      ],
    });
    expect((await person("batch-1")).attributes).toEqual({ plan: "b" });
  });

  test("large batches of the same people at once are all stored", async () => {
    const values = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`trait_${i}`, i]));
    const people = Array.from({ length: 250 }, (_, i) => `crowded-${i}`);
    const items = (attributes: object, ids: string[]) =>
      ids.map((person_id) => ({ type: "identify", person_id, attributes }));
    const send = async (attributes: object, ids: string[]) =>
      (await it.call("POST", `${gateway}/batch`, { body: { items: items(attributes, ids) } })).body.results;
    const answers = await Promise.all([
      send({ ...values, first: true }, people),
      send({ ...values, second: true }, people.toReversed()),
      send({ ...values, third: true }, [...people, ...people.slice(0, 50)]),
    ]);
    expect(new Set(answers.flat().map(({ status }: { status: number }) => status))).toEqual(new Set([200]));
    for (const id of [people[0], people[249]])
      expect((await person(id as string)).attributes).toEqual({ ...values, first: true, second: true, third: true });
  });

  test("1,001 items are 400, and none is taken", async () => {
    const items = Array.from({ length: 1001 }, () => ({ type: "identify", person_id: "too-many" }));
    expect((await it.call("POST", `${gateway}/batch`, { body: { items } })).status).toBe(400);
    expect((await it.call("GET", "/api/v1/people/too-many")).status).toBe(404);
  });
});

describe("devices", () => {
  const put = (body: unknown) => it.call("PUT", `${gateway}/devices`, { body, key: it.publicKey });
  const devices = async (id: string) => (await it.call("GET", `/api/v1/people/${id}/devices`)).body.data;

  test("a token moves to the person who registered it last", async () => {
    const first = await put({ person_id: "d1", platform: "ios", token: "token-1" });
    const second = await put({ person_id: "d2", platform: "ios", token: "token-1", app_version: "2.0" });
    expect(first.body.device_id).toMatch(/^dev_/);
    expect(second.body).toEqual(first.body);
    expect(await devices("d1")).toEqual([]);
    expect(await devices("d2")).toMatchObject([{ id: first.body.device_id, token: "token-1", app_version: "2.0" }]);
  });

  test("a browser registers its subscription as it gives it", async () => {
    const subscription = {
      endpoint: "https://push.example/abc",
      expirationTime: null,
      keys: { p256dh: "BPk", auth: "aut" },
    };
    expect((await put({ person_id: "web1", platform: "web", subscription })).status).toBe(200);
    expect(await devices("web1")).toMatchObject([{ platform: "web", token: "https://push.example/abc" }]);
  });

  test("a device that is forgotten is gone", async () => {
    await put({ person_id: "d3", platform: "android", token: "token-3" });
    expect(
      (
        await it.call("DELETE", `${gateway}/devices`, {
          body: { person_id: "d3", token: "token-3" },
          key: it.publicKey,
        })
      ).status,
    ).toBe(204);
    expect(await devices("d3")).toEqual([]);
  });

  test.each([
    [{ person_id: "d", platform: "ios" }, "/token"],
    [{ person_id: "d", platform: "web" }, "/subscription"],
    [{ person_id: "d", platform: "fridge", token: "t" }, "/platform"],
    [
      {
        person_id: "d",
        platform: "web",
        subscription: { endpoint: "http://plain.example", keys: { p256dh: "a", auth: "b" } },
      },
      "/subscription/endpoint",
    ],
  ])("%j is 400 and names the field", async (body, pointer) => {
    expect(await put(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });
});

describe("activity", () => {
  test("a person's log is newest first and paged", async () => {
    for (let i = 0; i < 3; i++) await identify({ person_id: "logged", attributes: { i } });
    const first = (await it.call("GET", "/api/v1/people/logged/activity?limit=2")).body;
    expect(first.data).toHaveLength(2);
    expect(first.data[0]).toMatchObject({
      type: "person.identified",
      delivery_id: null,
      data: { created: false, attributes: ["i"] },
    });
    const second = (await it.call("GET", `/api/v1/people/logged/activity?limit=2&cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ data: [{ data: { created: true } }], next_cursor: null });
  });
});
