import { describe, expect, test } from "vitest";
import { testService } from "../../../test/support/service.ts";

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
      used_by: [],
      updated_at: expect.any(String),
    });
    expect((await it.call("GET", `${URL}/${made.body.id}`)).body).toEqual(made.body);
  });

  test("an inbox card stays until it is dismissed, unless the definition says otherwise", async () => {
    const card = await it.call("POST", URL, { body: { ...base, render_type: "inbox_card" } });
    expect(card.body.persistence.mode).toBe("persistent_until_dismissed");
    const once = await it.call("POST", URL, {
      body: { ...base, render_type: "inbox_card", persistence: { mode: "one_time" } },
    });
    expect(once.body.persistence.mode).toBe("one_time");
  });

  test("screens are trimmed, null counts as absent, and disabled quiet hours may lack times", async () => {
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

  test("an edit merges objects and keeps fields that it does not name; null removes a field or restores its defaults", async () => {
    const window = { enabled: true, timezone_mode: "device", start: "22:00", end: "08:00" };
    const persistence = {
      mode: "persistent_until_dismissed",
      per: "person",
      max_impressions: 5,
      min_interval: { amount: 6, unit: "hours" },
    };
    const full = {
      ...base,
      screens: { include: ["a"], exclude: ["b"] },
      quiet_hours: window,
      persistence,
      cta: { label: "Go", action: "custom", value: "v" },
      expiry: { amount: 3, unit: "days" },
    };
    const { id } = (await it.call("POST", URL, { body: full })).body;
    const edited = async (body: object) => (await it.call("PATCH", `${URL}/${id}`, { body })).body;
    expect((await edited({ screens: { include: ["c"] } })).screens).toEqual({ include: ["c"], exclude: ["b"] });
    expect((await edited({ quiet_hours: { enabled: false } })).quiet_hours).toEqual({ ...window, enabled: false });
    expect((await edited({ persistence: { max_impressions: null } })).persistence).toEqual({
      ...persistence,
      max_impressions: null,
    });
    expect((await edited({ cta: { label: "Stop" } })).cta).toEqual({ label: "Stop", action: "custom", value: "v" });
    expect((await edited({ cta: { action: "dismiss" } })).cta).toEqual({
      label: "Stop",
      action: "dismiss",
      value: null,
    });
    expect(
      await edited({ screens: null, quiet_hours: null, persistence: null, cta: null, expiry: null }),
    ).toMatchObject({
      version: 7,
      screens: { include: [], exclude: [] },
      quiet_hours: null,
      persistence: { mode: "one_time", per: "person", max_impressions: null, min_interval: null },
      cta: null,
      expiry: null,
    });
    expect((await edited({ cta: { label: "Go" } })).errors[0].pointer).toBe("/cta/action");
  });

  test("an edit that changes nothing makes no version", async () => {
    const made = (await it.call("POST", URL, { body: { ...base, screens: { include: ["a"] } } })).body;
    for (const body of [
      {},
      { name: made.name },
      { screens: {} },
      { screens: { include: [" a "] } },
      { persistence: { mode: "one_time" } },
    ])
      expect((await it.call("PATCH", `${URL}/${made.id}`, { body })).body, JSON.stringify(body)).toEqual(made);
    const { warnings, used_by, ...definition } = made;
    const { id, version, created_at, updated_at, ...whole } = definition;
    expect((await it.call("PATCH", `${URL}/${id}`, { body: whole })).body).toMatchObject({
      version,
      updated_at,
      created_at,
    });
    expect([warnings, used_by]).toEqual([[], []]);
  });

  test("a message without quiet hours gets the workspace's; null or enabled: false mean none", async () => {
    const other = await it.another();
    const call = async (method: "POST" | "PATCH", url: string, body: object) =>
      (await it.call(method, url, { key: other.secretKey, body })).body;
    const early = await call("POST", URL, base);
    const quiet_defaults = { timezone_mode: "device", start: "22:00", end: "08:00" };
    expect((await call("PATCH", "/api/v1/workspace", { quiet_defaults })).quiet_defaults).toEqual(quiet_defaults);
    const all = { enabled: true, ...quiet_defaults };
    const made = await call("POST", URL, base);
    expect(made.quiet_hours).toEqual(all);
    expect((await call("POST", URL, { ...base, quiet_hours: null })).quiet_hours).toBeNull();
    expect((await call("POST", URL, { ...base, quiet_hours: { enabled: false } })).quiet_hours).toBeNull();
    expect((await call("POST", URL, { ...base, quiet_hours: { start: "20:00" } })).quiet_hours).toEqual({
      ...all,
      start: "20:00",
    });
    // What is made keeps what it was made with.
    expect((await call("PATCH", `${URL}/${early.id}`, { title: "T" })).quiet_hours).toBeNull();
    expect((await call("PATCH", `${URL}/${early.id}`, { quiet_hours: { enabled: true } })).quiet_hours).toEqual(all);
    await call("PATCH", "/api/v1/workspace", { quiet_defaults: null });
    expect((await call("PATCH", `${URL}/${made.id}`, { title: "T" })).quiet_hours).toEqual(all);
    expect((await call("POST", URL, base)).quiet_hours).toBeNull();
  });

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

  test("the list is newest first, in pages, without deleted definitions", async () => {
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

  test("an unknown or empty time zone and a NUL in the screen are not errors", async () => {
    for (const query of ["timezone=Mars/Olympus", "timezone=", "screen=%00", "limit=50", "unknown=1"]) {
      expect((await it.call("GET", `${SYNC}?person_id=a&${query}`)).status).toBe(200);
    }
  });

  test("a public key in the URL may sync but not report, and a public key can't create definitions", async () => {
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
