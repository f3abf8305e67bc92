import { originOf } from "@tidings/contract/campaigns/origin";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MOST_ANSWER, outcomeOf, partsOf, responseOf, shownValue, WAITS, withTexts } from "./calls.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const answer = (status: number | null, own: object = {}) => ({ status, headers: {}, failure: null, ...own });

test("a 2xx is an answer; faults of the network, 408, 429 and 5xx are repeated at most four times; all others fail at once", () => {
  const outcome = (status: number | null, attempts = 1) => outcomeOf(answer(status), attempts, 0.5, NOW);
  for (const status of [200, 204, 299]) expect(outcome(status)).toEqual({ kind: "answered" });
  for (const status of [null, 408, 429, 500, 503])
    expect([1, 2, 3, 4, 5].map((n) => outcome(status, n))).toEqual([
      ...WAITS.map((waitMs) => ({ kind: "retry", waitMs })),
      { kind: "failed" },
    ]);
  for (const status of [301, 400, 401, 404, 410, 422]) expect(outcome(status)).toEqual({ kind: "failed" });
  for (const failure of ["private_address", "invalid_url"] as const)
    expect(outcomeOf(answer(null, { failure }), 1, 0.5, NOW)).toEqual({ kind: "failed" });
});

test("Retry-After makes a wait longer and never shorter, up to an hour", () => {
  const wait = (text: string) => outcomeOf(answer(429, { headers: { "retry-after": text } }), 1, 0.5, NOW);
  expect(wait("60")).toEqual({ kind: "retry", waitMs: 60_000 });
  expect(wait("1")).toEqual({ kind: "retry", waitMs: 5_000 });
  expect(wait("Sun, 01 Mar 2026 12:10:00 GMT")).toEqual({ kind: "retry", waitMs: 600_000 });
  expect(wait("999999999")).toEqual({ kind: "retry", waitMs: 3_600_000 });
});

const response = (body: string | Buffer, type?: string) =>
  responseOf({
    status: 200,
    headers: type === undefined ? {} : { "content-type": type },
    body: Buffer.from(body),
    scrub: (text) => text.replaceAll("whsec_x", "***"),
  });

test.each([
  [
    "an object",
    '{"code":"X","status":"ok"}',
    "application/json",
    { body: { code: "X", status: "ok" }, code: "X", status: "ok" },
  ],
  ["a problem", '{"a":1}', "application/problem+json; charset=utf-8", { status: 200, body: { a: 1 }, a: 1 }],
  ["a list", "[1,2]", "application/json", { status: 200, body: [1, 2] }],
  ["nothing", "", "application/json", { status: 200, body: null }],
  ["text", "it is \0 done", "text/plain", { status: 200, body: "it is \ufffd done" }],
  ["an object as text", '{"a":1}', "text/html", { status: 200, body: '{"a":1}' }],
  ["JSON without a type", '{"a":1}', undefined, { status: 200, body: { a: 1 }, a: 1 }],
  ["text without a type", "thanks", undefined, { status: 200, body: "thanks" }],
  ["a secret", '{"a":"whsec_x"}', "application/json", { status: 200, body: { a: "***" }, a: "***" }],
  ["NUL in JSON", '{"a":"\\u0000"}', "application/json", { status: 200, body: null, omitted: "invalid_json" }],
  [
    "half a surrogate pair",
    '{"a":"\\ud800"}',
    "application/json",
    { status: 200, body: null, omitted: "invalid_json" },
  ],
  [
    "a poisoned object",
    '{"__proto__":{"a":1}}',
    "application/json",
    { status: 200, body: null, omitted: "invalid_json" },
  ],
  ["deep JSON", "[".repeat(5_000), "application/json", { status: 200, body: null, omitted: "invalid_json" }],
  ["a long answer", "x".repeat(MOST_ANSWER + 1), "text/plain", { status: 200, body: null, omitted: "too_long" }],
])("of %s later steps read what can be stored", (_what, body, type, read) => {
  expect(response(body, type)).toEqual(read);
});

test("any bytes become a response that JSON and PostgreSQL can hold", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom("text/plain", "application/json", undefined),
      (bytes, type) => {
        const text = JSON.stringify(response(Buffer.from(bytes), type));
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      },
    ),
  );
});

test.each([
  ["https://shop.test", "https://shop.test"],
  ["https://Shop.test:8443/a?b={{trigger.c}}", "https://shop.test:8443"],
  ["http://shop.test?x={{trigger.c}}", "http://shop.test"],
  ["https://shop.test/{% if true %}a{% endif %}", "https://shop.test"],
  ["https://shop.test{{trigger.c}}", undefined],
  ["https://{{trigger.c}}/", undefined],
  ["https://u:p@shop.test/", undefined],
  ["https://shop.test\\@evil.test/", undefined],
  ["ftp://shop.test/", undefined],
  ["{{trigger.url}}", undefined],
  ["https://", undefined],
  ["https://[::1]:9/", "https://[::1]:9"],
])("the origin of %s is %s", (url, origin) => {
  expect(originOf(url)).toBe(origin);
});

test("the texts of a body are rendered where they stand", () => {
  const body = { a: "one", n: 1, list: ["two", { "x/y": "three", none: null }] };
  const parts = partsOf({ id: "a", type: "webhook", url: "https://shop.test", body });
  expect(parts.map(({ name }) => name)).toEqual(["url", "body/a", "body/list/0", "body/list/1/x~1y"]);
  const texts = parts.slice(1).map(({ source }) => source.toUpperCase());
  expect(withTexts(body, texts)).toEqual({ a: "ONE", n: 1, list: ["TWO", { "x/y": "THREE", none: null }] });
});

test("the history shows a small value whole and the beginning of a large one", () => {
  expect(shownValue({ a: 1 })).toEqual({ a: 1 });
  expect(shownValue({ a: "x".repeat(5_000) })).toMatch(/^\{"a":"x{4090}$/);
});
