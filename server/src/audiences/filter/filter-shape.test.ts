import { shapes } from "@tidings/contract/shapes";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { encodeId, newId } from "../../platform/ids.ts";
import { readFilter } from "./filter.ts";

// The document describes what readFilter reads by hand.

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

/** Each with one thing changed: a field left out, one too many, and other values in each place. */
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

test.each(good)("the schema of %j and what is read of it agree, however one place of it is changed", (filter) => {
  expect([taken(filter), described(filter)]).toEqual([true, true]);
  for (const mutant of mutants(filter)) {
    // What a pattern can't say: whether a text is a day that there is.
    if (taken(mutant) || !JSON.stringify(mutant).includes('"before"'))
      expect(described(mutant), JSON.stringify(mutant)).toBe(taken(mutant));
  }
});
