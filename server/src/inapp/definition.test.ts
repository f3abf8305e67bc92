import { describe, expect, test } from "vitest";
import { testService } from "../../test/support/service.ts";

const it = await testService();
const URL = "/api/v1/in-app-messages";
const base = { name: "Offer", render_type: "modal", body: "Hello" };
const quiet = (start: string, end: string) => ({ quiet_hours: { enabled: true, timezone_mode: "device", start, end } });
const link = (value: string) => ({ cta: { label: "Go", action: "deep_link", value } });

describe("a definition", () => {
  test("has every default written out", async () => {
    const made = await it.call("POST", URL, { body: base });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
      version: 1,
      ...base,
      title: null,
      image_url: null,
      cta: null,
      priority: 50,
      expiry: null,
      screens: { include: [], exclude: [] },
      quiet_hours: null,
      persistence: { mode: "one_time", per: "person", max_impressions: null, min_interval: null },
      created_at: expect.any(String),
      warnings: [],
      updated_at: expect.any(String),
    });
    expect((await it.call("GET", `${URL}/${made.body.id}`)).body).toEqual(made.body);
  });

  test("a card for the inbox stays until it is dismissed unless it says otherwise", async () => {
    const card = await it.call("POST", URL, { body: { ...base, render_type: "inbox_card" } });
    expect(card.body.persistence.mode).toBe("persistent_until_dismissed");
    const once = await it.call("POST", URL, {
      body: { ...base, render_type: "inbox_card", persistence: { mode: "one_time" } },
    });
    expect(once.body.persistence.mode).toBe("one_time");
  });

  test("screens are trimmed, null is absent, a window that is off may be empty", async () => {
    const made = await it.call("POST", URL, {
      body: {
        ...base,
        screens: { include: [" home ", "home"] },
        quiet_hours: { enabled: false },
        persistence: null,
        cta: null,
      },
    });
    expect(made.body).toMatchObject({ screens: { include: ["home"], exclude: [] }, quiet_hours: null });
  });

  test.each([
    [quiet("22:00", "22:00"), "/quiet_hours/end"],
    [quiet("24:00", "08:00"), "/quiet_hours/start"],
    [quiet("8:00", "09:00"), "/quiet_hours/start"],
    [{ quiet_hours: { enabled: true, start: "22:00" } }, "/quiet_hours/end"],
    [link("javascript:alert(1)"), "/cta/value"],
    [link(" JaVa\tScript:alert(1)"), "/cta/value"],
    [link("data:text/html,x"), "/cta/value"],
    [link("vbscript:x"), "/cta/value"],
    [link("  "), "/cta/value"],
    [{ cta: { label: "Go", action: "custom" } }, "/cta/value"],
    [{ cta: { label: "Go", action: "open" } }, "/cta/action"],
    [{ cta: { label: " ", action: "dismiss" } }, "/cta/label"],
    [{ image_url: "ftp://a.test/i.png" }, "/image_url"],
    [{ image_url: "not an address" }, "/image_url"],
    [{ image_url: "javascript:alert(1)" }, "/image_url"],
    [{ priority: 101 }, "/priority"],
    [{ priority: -1 }, "/priority"],
    [{ priority: 1.5 }, "/priority"],
    [{ render_type: "toast" }, "/render_type"],
    [{ expiry: { amount: 0, unit: "days" } }, "/expiry/amount"],
    [{ expiry: { amount: 1, unit: "weeks" } }, "/expiry/unit"],
    [{ screens: { include: ["ok", "  "] } }, "/screens/include/1"],
    [{ screens: { include: ["x".repeat(201)] } }, "/screens/include/0"],
    [{ persistence: { mode: "forever" } }, "/persistence/mode"],
    [{ persistence: { mode: "persistent_until_dismissed", max_impressions: 0 } }, "/persistence/max_impressions"],
    [{ body: "" }, "/body"],
    [{ title: "x".repeat(1_001) }, "/title"],
    [{ colour: "red" }, "/colour"],
    [{ name: "" }, "/name"],
  ])("%j is 400 and names the field, on POST and PATCH", async (wrong, pointer) => {
    const made = await it.call("POST", URL, { body: base });
    const tries = [
      await it.call("POST", URL, { body: { ...base, ...wrong } }),
      await it.call("PATCH", `${URL}/${made.body.id}`, { body: wrong }),
    ];
    for (const answer of tries) {
      expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
      expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    }
    expect((await it.call("GET", `${URL}/${made.body.id}`)).body.version).toBe(1);
  });

  test.each([
    ["title", { title: "{{ person.name" }],
    ["body", { body: "{% for x in y %}" }],
    ["image_url", { image_url: "{% include 'x' %}" }],
    ["cta/value", link("app://{{ x | nosuchfilter }}")],
  ])("Liquid in %s that does not parse is 422 with its place", async (part, wrong) => {
    const answer = await it.call("POST", URL, { body: { ...base, ...wrong } });
    expect(answer).toMatchObject({ status: 422, body: { code: "template_error", part, line: 1 } });
  });

  test.each([["app://offers"], ["https://a.test/x"], ["/profile"], ["app://orders/{{trigger.id}}"]])(
    "the deep link %s is taken",
    async (value) => {
      expect((await it.call("POST", URL, { body: { ...base, ...link(value) } })).status).toBe(201);
    },
  );

  test("two edits at once make two versions, and each keeps what the other changed", async () => {
    const made = await it.call("POST", URL, { body: base });
    const answers = await Promise.all([
      it.call("PATCH", `${URL}/${made.body.id}`, { body: { title: "A" } }),
      it.call("PATCH", `${URL}/${made.body.id}`, { body: { priority: 1 } }),
    ]);
    expect(answers.map((answer) => answer.body.version).sort()).toEqual([2, 3]);
    expect((await it.call("GET", `${URL}/${made.body.id}`)).body).toMatchObject({
      version: 3,
      title: "A",
      priority: 1,
    });
  });

  test("the list is newest first, page by page, without what was deleted", async () => {
    const other = await it.another();
    const made: string[] = [];
    for (const name of ["a", "b", "c"]) {
      made.unshift((await it.call("POST", URL, { key: other.secretKey, body: { ...base, name } })).body.id);
    }
    await it.call("DELETE", `${URL}/${made[1]}`, { key: other.secretKey });
    const first = await it.call("GET", `${URL}?limit=1`, { key: other.secretKey });
    const rest = await it.call("GET", `${URL}?limit=1&cursor=${first.body.next_cursor}`, { key: other.secretKey });
    expect([first.body.data[0].id, rest.body.data[0].id, rest.body.next_cursor]).toEqual([made[0], made[2], null]);
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/preview"],
      ["POST", "/test-sends"],
    ] as const) {
      const body = path === "/test-sends" ? { person_id: "x" } : {};
      const answer = await it.call(method, `${URL}/${made[0]}${path}`, method === "GET" ? {} : { body });
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });
});

describe("bad input of the in-app routes", () => {
  const SYNC = "/data-gateway/v1/in-app/messages/sync";
  test.each([
    ["", "person_id"],
    ["?person_id=", "person_id"],
    [`?person_id=${"x".repeat(257)}`, "person_id"],
    ["?person_id=a%00b", "person_id"],
    ["?person_id=a&limit=0", "limit"],
    ["?person_id=a&limit=51", "limit"],
    ["?person_id=a&limit=ten", "limit"],
    ["?person_id=a&tz_offset_minutes=99999", "tz_offset_minutes"],
    ["?person_id=a&person_id=b", "person_id"],
  ])("sync%s is 400 and names the parameter", async (query, parameter) => {
    const answer = await it.call("GET", SYNC + query);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request", errors: [{ parameter }] } });
  });

  test("a zone that does not exist, an empty one and a NUL in the screen are no errors", async () => {
    for (const query of ["timezone=Mars/Olympus", "timezone=", "screen=%00", "limit=50", "unknown=1"]) {
      expect((await it.call("GET", `${SYNC}?person_id=a&${query}`)).status).toBe(200);
    }
  });

  test("a public key may sync in the address, may report nothing there, and may not define", async () => {
    expect((await it.call("GET", `${SYNC}?person_id=a&api_key=${it.publicKey}`, { key: null })).status).toBe(200);
    const report = `/data-gateway/v1/in-app/messages/interactions?api_key=${it.publicKey}`;
    const reported = await it.call("POST", report, { key: null, body: { person_id: "a", items: [{}] } });
    expect(reported).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    const answer = await it.call("POST", URL, { key: it.publicKey, body: base });
    expect(answer).toMatchObject({ status: 403, body: { code: "key_not_permitted" } });
  });

  test.each([
    [{}, "/person_id"],
    [{ person_id: "a", ts: "soon" }, "/ts"],
    [{ person_id: "a", ts: "2026-02-30T00:00:00Z" }, "/ts"],
    [{ person_id: 7 }, "/person_id"],
    [{ person_id: "a", screen: 7 }, "/screen"],
    [{ person_id: "a", reason: "x".repeat(501) }, "/reason"],
  ])("an interaction with %j is 400 and names the field", async (body, pointer) => {
    const url = "/data-gateway/v1/in-app/messages/dlv_00000000000000000000000000/dismiss";
    const answer = await it.call("POST", url, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  test("a batch of 0 or 101 items is 400", async () => {
    const url = "/data-gateway/v1/in-app/messages/interactions";
    for (const items of [[], Array(101).fill({})]) {
      expect((await it.call("POST", url, { body: { person_id: "a", items } })).body.code).toBe("invalid_request");
    }
  });
});
