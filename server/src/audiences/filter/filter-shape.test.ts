import { shapes } from "@tidings/contract/shapes";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { encodeId, newId } from "../../platform/ids.ts";
import { readFilter } from "./filter.ts";

// The schema of the OpenAPI document must describe exactly the filters that readFilter accepts.

const named = JSON.parse(
  JSON.stringify(shapes).replaceAll('"x-shape":"Filter"', '"$ref":"#/components/schemas/Filter"'),
);
const described = new Ajv({ strict: false }).compile({
  components: { schemas: named },
  $ref: "#/components/schemas/Filter",
});

function taken(filter: unknown): boolean {
  try {
    readFilter(filter, "/filter");
    return true;
  } catch {
    return false;
  }
}

const within = { amount: 3, unit: "days" };
const good: object[] = [
  { all: [] },
  { any: [{ attribute: "plan", op: "eq", value: "pro" }] },
  { not: { all: [{ subscribed: true, channel: "email", topic: encodeId("top", newId()) }] } },
  { attribute: "plan", op: "in", value: ["a", 1, true] },
  { attribute: "age", op: "gte", value: 18 },
  { attribute: "city", op: "starts_with", value: "B" },
  { attribute: "city", op: "exists" },
  { attribute: "born", op: "before", value: "2001-01-31" },
  { attribute: "seen", op: "within_last", value: within },
  { event: "order", op: "performed", count: { gte: 1 }, within, where: [{ property: "sum", op: "gt", value: 1 }] },
  { message: "clicked", op: "not_performed", source_id: encodeId("bc", newId()), channel: "email", within },
  { audience: encodeId("aud", newId()) },
];

/** The filter with one change each: a field left out, a field too many, and other values at each position. */
function* mutants(value: unknown): Generator<unknown> {
  for (const other of [null, "", "x", -1, 1.5, true, [], {}]) yield other;
  if (typeof value !== "object" || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    const put = (next: unknown): unknown =>
      Array.isArray(value) ? value.map((old, i) => (String(i) === name ? next : old)) : { ...value, [name]: next };
    for (const mutant of mutants(one)) yield put(mutant);
    if (!Array.isArray(value)) yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
  }
  if (!Array.isArray(value)) yield { ...value, colour: "red" };
}

test.each(good)("the schema and readFilter agree about %j and about each variation of it", (filter) => {
  expect([taken(filter), described(filter)]).toEqual([true, true]);
  for (const mutant of mutants(filter)) {
    // A pattern can't check whether a day exists.
    if (taken(mutant) || !JSON.stringify(mutant).includes('"before"'))
      expect(described(mutant), JSON.stringify(mutant)).toBe(taken(mutant));
  }
});
