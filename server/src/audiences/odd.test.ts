import { beforeAll, describe, expect, test } from "vitest";
import { testClock, testService } from "../../test/support/service.ts";

// Unusual values that clients send sooner or later. Each is tested as a preview, as the members of a saved audience, and as the
// explanation for one person. All three must agree.

const it = await testService({ clock: testClock("2026-03-01T12:00:00.000Z") });
const post = (url: string, body: unknown) => it.call("POST", `/api/v1${url}`, { body });
const identify = (person_id: string, attributes: object) =>
  it.call("POST", "/data-gateway/v1/identify", { body: { person_id, attributes } });
let made = 0;

/** Returns who matches by the preview, and checks that the members and the explanations agree. */
async function found(filter: object): Promise<string[]> {
  const preview = await post("/audiences/preview", { filter });
  expect(preview, JSON.stringify(preview.body)).toMatchObject({ status: 200 });
  const sample = preview.body.sample.map((one: { person_id: string }) => one.person_id).sort();
  expect(preview.body.count).toBe(sample.length);
  const { id } = (await post("/audiences", { name: `Odd ${made++}`, filter })).body;
  const members = (await it.call("GET", `/api/v1/audiences/${id}/members`)).body.data;
  expect(members.map((one: { person_id: string }) => one.person_id).sort()).toEqual(sample);
  for (const person of sample) {
    const why = await it.call("GET", `/api/v1/audiences/${id}/people/${encodeURIComponent(person)}`);
    expect(why.body).toMatchObject({ in: true, verdict: { pass: true } });
  }
  return sample;
}
const refused = async (filter: object, pointer: string) => {
  for (const [url, body] of [
    ["/audiences/preview", { filter }],
    ["/audiences", { name: `Odd ${made++}`, filter }],
    ["/broadcasts", { name: "Odd", channel: "in_app", audience: filter, message_id: message }],
  ] as const) {
    const at = url === "/broadcasts" ? pointer.replace("/filter", "/audience") : pointer;
    expect(await post(url, body)).toMatchObject({ status: 400, body: { errors: [{ pointer: at }] } });
  }
};
const message = (await post("/in-app-messages", { name: "Hi", render_type: "modal", body: "Hi" })).body.id;

describe("text", () => {
  const texts = [
    "a%b",
    "a_b",
    "a\\b",
    "a\\%b",
    "axb",
    "ab",
    "a.b",
    "a*b",
    "^ab$",
    "(a|b)",
    "[ab]",
    "a'b",
    'a"b',
    "A%B",
    "a?b",
    "$1",
  ];
  beforeAll(async () => {
    for (const text of texts) await identify(`text ${text}`, { text, tags: [text, "z"] });
  });

  test.each(texts)("%j is matched literally", async (value) => {
    const holding = texts.filter((text) => text.includes(value)).map((text) => `text ${text}`);
    expect(await found({ attribute: "text", op: "contains", value })).toEqual(holding.sort());
    const beginning = texts.filter((text) => text.startsWith(value)).map((text) => `text ${text}`);
    expect(await found({ attribute: "text", op: "starts_with", value })).toEqual(beginning.sort());
    expect(await found({ attribute: "tags", op: "contains", value })).toEqual([`text ${value}`]);
    expect(await found({ attribute: "text", op: "eq", value })).toEqual([`text ${value}`]);
  });

  test.each(["%", "_", "\\", ".", ".*", "a%", "%b", "a.*b", "(?i)A", "\\w"])("%j is no wildcard", async (value) => {
    const holding = texts.filter((text) => text.includes(value)).map((text) => `text ${text}`);
    expect(await found({ attribute: "text", op: "contains", value })).toEqual(holding.sort());
    const beginning = texts.filter((text) => text.startsWith(value)).map((text) => `text ${text}`);
    expect(await found({ attribute: "text", op: "starts_with", value })).toEqual(beginning.sort());
  });

  test("an empty text, or a value that is not a text, is refused", async () => {
    for (const op of ["contains", "starts_with"])
      for (const value of ["", 5, null, {}, ["a"], undefined, "x".repeat(1_001)])
        await refused({ attribute: "text", op, value }, "/filter/value");
  });
});

describe("times", () => {
  const none = [
    "",
    "2026-02-30",
    "2026-02-29",
    "2026-13-01",
    "2026-00-10",
    "0000-01-01",
    "275760-09-13",
    "+275760-09-13T00:00:00Z",
  ];
  none.push(
    "2026-02-01T25:00:00Z",
    "2026-02-01T10:00:60Z",
    "2026-02-01T10:00:00",
    "2026-02-01 10:00:00Z",
    "now",
    "infinity",
    "1",
  );
  none.push(
    "2026-02-01T10:00:00+15:00",
    "2026-W05-1",
    "20260201",
    " 2026-02-01",
    "2026-02-01\n",
    "tomorrow",
    "epoch",
    "NaN",
  );
  const kinds: unknown[] = [...none, 20_260_201, 1e308, -1e308, true, {}, { at: "2026-02-01" }, ["2026-02-01"]];

  test.each(kinds)("%j is refused as a time", async (value) => {
    for (const op of ["before", "after"]) await refused({ attribute: "when", op, value }, "/filter/value");
  });

  test("a person whose value is not a time matches no comparison of times", async () => {
    for (const [i, when] of kinds.entries()) await identify(`when ${i}`, { when });
    await identify("when leap", { when: "2024-02-29" });
    await identify("when late", { when: "9999-12-31T23:59:59.999Z" });
    await identify("when soon", { when: "2026-02-28T23:30:00.123456789-01:00" });
    expect(await found({ attribute: "when", op: "before", value: "2026-01-01" })).toEqual(["when leap"]);
    expect(await found({ attribute: "when", op: "after", value: "2026-01-01" })).toEqual(["when late", "when soon"]);
    const days = (amount: number) => ({ attribute: "when", op: "within_last", value: { amount, unit: "days" } });
    expect(await found(days(1))).toEqual(["when soon"]);
    expect(await found(days(100_000))).toEqual(["when leap", "when soon"]);
  });

  test("a time on another day than in UTC, or on the first or last day of all, is compared correctly", async () => {
    const edges = ["2026-03-02T00:30:00+14:00", "2026-02-28T23:59:59-14:00", "0001-01-01", "9999-12-31T23:59:59.999Z"];
    edges.push("0001-01-01T00:00:00+14:59", "9999-12-31T23:59:59-14:59", "2026-03-01");
    for (const edge of edges) await identify(edge, { edge });
    for (const value of [...edges, "2026-03-01T11:00:00Z", "9999-12-31", "0001-01-03"]) {
      const at = Date.parse(value.length === 10 ? `${value}T00:00:00Z` : value);
      const those = (holds: (edge: number) => boolean) =>
        edges.filter((edge) => holds(Date.parse(edge.length === 10 ? `${edge}T00:00:00Z` : edge))).sort();
      expect(await found({ attribute: "edge", op: "before", value })).toEqual(those((edge) => edge < at));
      expect(await found({ attribute: "edge", op: "after", value })).toEqual(those((edge) => edge > at));
    }
    const lately = { attribute: "edge", op: "within_last", value: { amount: 2, unit: "hours" } };
    expect(await found(lately)).toEqual(["2026-03-02T00:30:00+14:00"]);
  });

  test.each([0, -1, 1.5, 100_001, 1e308, "5", null, {}])("%j is refused as a length of time", async (amount) => {
    const value = { amount, unit: "days" };
    await refused({ attribute: "when", op: "within_last", value }, "/filter/value/amount");
    await refused({ event: "x", op: "performed", within: value }, "/filter/within/amount");
  });
});

describe("numbers", () => {
  const numbers = [0, -5, 1.5, 1e-300, 1e308, -1e308, Number.MAX_SAFE_INTEGER, 2 ** 53, 0.1 + 0.2];
  beforeAll(async () => {
    for (const [i, n] of numbers.entries()) await identify(`n ${i}`, { n });
  });

  test.each(numbers)("%d is compared as a number, however large", async (value) => {
    for (const [op, holds] of [
      ["eq", (n: number) => n === value],
      ["gt", (n: number) => n > value],
      ["gte", (n: number) => n >= value],
      ["lt", (n: number) => n < value],
      ["lte", (n: number) => n <= value],
    ] as const) {
      const expected = numbers.flatMap((n, i) => (holds(n) ? [`n ${i}`] : []));
      expect(await found({ attribute: "n", op, value }), op).toEqual(expected);
    }
  });

  test("a number that a double can't hold is refused, and a count must be a whole number", async () => {
    for (const value of ["1e999", "-1e999", "1e-999"]) {
      const raw = `{"filter":{"attribute":"n","op":"gt","value":${value}}}`;
      expect(await it.call("POST", "/api/v1/audiences/preview", { raw })).toMatchObject({ status: 400 });
    }
    for (const gte of [-1, 1.5, 1e21, 1_000_001, "2", null])
      await refused({ event: "x", op: "performed", count: { gte } }, "/filter/count/gte");
    await refused({ event: "x", op: "performed", count: {} }, "/filter/count");
    expect(await found({ event: "x", op: "performed", count: { gte: 1_000_000 } })).toEqual([]);
  });
});

describe("size", () => {
  test("`in` takes 1 to 1,000 values", async () => {
    const values = (count: number) => Array.from({ length: count }, (_, i) => (i % 2 ? `v${i}` : i));
    await identify("in one", { picked: "v999" });
    await identify("in two", { picked: 998 });
    expect(await found({ attribute: "picked", op: "in", value: values(1_000) })).toEqual(["in one", "in two"]);
    await refused({ attribute: "picked", op: "in", value: values(1_001) }, "/filter/value");
    await refused({ attribute: "picked", op: "in", value: [] }, "/filter/value");
    await refused({ attribute: "picked", op: "in", value: [["v"]] }, "/filter/value/0");
    const wide = { any: Array.from({ length: 30 }, () => ({ attribute: "picked", op: "in", value: values(1_000) })) };
    expect(await found(wide)).toEqual(["in one", "in two"]);
  });

  test("`where` takes many conditions and deep paths, up to its limits", async () => {
    const properties = { a: { b: { c: { d: { e: { f: { g: { h: 7 } } } } } } }, "x.y": 1, total: 12 };
    await it.call("POST", "/data-gateway/v1/track", { body: { person_id: "deep", eventName: "dug", properties } });
    const where = (list: object[]) => ({ event: "dug", op: "performed", where: list });
    const total = { property: "total", op: "gt", value: 10 };
    expect(await found(where([{ property: "a.b.c.d.e.f.g.h", op: "eq", value: 7 }]))).toEqual(["deep"]);
    expect(await found(where([{ property: "x.y", op: "eq", value: 1 }]))).toEqual(["deep"]);
    expect(await found(where(Array.from({ length: 199 }, () => total)))).toEqual(["deep"]);
    await refused(where(Array.from({ length: 200 }, () => total)), "/filter/where/199");
    await refused(where([{ property: "a.b.c.d.e.f.g.h.i", op: "exists" }]), "/filter/where/0/property");
    await refused(where([{ property: ".".repeat(100), op: "exists" }]), "/filter/where/0/property");
    await refused(where([{ ...total, where: [total] }]), "/filter/where/0/where");
    for (const property of ["", "x".repeat(201), 5, null])
      await refused(where([{ property, op: "exists" }]), "/filter/where/0/property");
    for (const property of ["a..b", "a.", ".", "a.0", "__proto__.x", "constructor", "toString"])
      expect(await found(where([{ property, op: "exists" }])), property).toEqual([]);
  });

  test("a filter of 28 levels is accepted, and 50 levels are refused as JSON", async () => {
    const nested = (depth: number): object =>
      depth === 0 ? { attribute: "n", op: "exists" } : { not: nested(depth - 1) };
    const answer = await post("/audiences/preview", { filter: nested(50) });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(answer.body.detail).toContain("nested deeper");
    expect(await found(nested(28))).toHaveLength(9);
  });
});

describe("nobody", () => {
  test.each([
    ["everybody but everybody", { not: { all: [] } }],
    ["an attribute that nobody has", { attribute: "nothing", op: "exists" }],
    [
      "both of two opposites",
      {
        all: [
          { attribute: "n", op: "exists" },
          { attribute: "n", op: "exists", value: false },
        ],
      },
    ],
    ["a name of the prototype", { attribute: "toString", op: "exists" }],
  ])("is in %s", async (_what, filter) => {
    expect(await found(filter)).toEqual([]);
  });

  test("is on an empty list, which can be exported, explained and named in other filters", async () => {
    const { id } = (await post("/audiences", { name: "Empty", kind: "list" })).body;
    expect((await it.call("GET", `/api/v1/audiences/${id}/members`)).body).toEqual({ data: [], next_cursor: null });
    expect((await it.call("GET", `/api/v1/audiences/${id}/export`)).body).toBe("person_id,email,phone\r\n");
    const why = await it.call("GET", `/api/v1/audiences/${id}/people/${encodeURIComponent("n 0")}`);
    expect(why.body).toMatchObject({ in: false, because: expect.stringContaining("not on the list Empty") });
    expect(await found({ audience: id })).toEqual([]);
    expect((await post("/audiences/preview", { filter: { not: { audience: id } } })).body.count).toBeGreaterThan(9);
  });
});
