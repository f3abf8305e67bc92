import { shapes } from "@tidings/contract/shapes";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { encodeId, newId } from "../../platform/ids.ts";
import { readStepFilter } from "./step-filter.ts";

// The OpenAPI document describes what readStepFilter reads by hand.

const named = JSON.parse(
  JSON.stringify(shapes).replaceAll(/"x-shape":"(Filter|StepFilter)"/g, '"$ref":"#/components/schemas/$1"'),
);
const described = new Ajv({ strict: false }).compile({
  components: { schemas: named },
  $ref: "#/components/schemas/StepFilter",
});
const taken = (filter: unknown): boolean => {
  try {
    readStepFilter(filter, "/if");
    return true;
  } catch {
    return false;
  }
};

const seen = { step: "mail", op: "seen" };
test.each<[unknown, boolean]>([
  [seen, true],
  [{ trigger: "order.total", op: "gt", value: 100 }, true],
  [{ trigger: "order", op: "exists" }, true],
  [{ all: [] }, true],
  [{ all: [seen, { any: [{ not: seen }] }, { audience: encodeId("aud", newId()) }] }, true],
  [{ attribute: "plan", op: "eq", value: "pro" }, true],
  [{ event: "paid", op: "performed", where: [{ property: "total", op: "gt", value: 1 }] }, true],
  [{ any: [] }, false],
  [{ any: seen }, false],
  [{ all: [seen], any: [seen] }, false],
  [{ not: [seen] }, false],
  [{ step: "mail", op: "opened" }, false],
  [{ step: "m-l", op: "seen" }, false],
  [{ ...seen, colour: "red" }, false],
  [{ ...seen, trigger: "a" }, false],
  [{ trigger: "", op: "exists" }, false],
  [{ trigger: "a", op: "gt", value: true }, false],
  [{ property: "a", op: "exists" }, false],
  [{}, false],
  [null, false],
  [[seen], false],
])("%j: %s, as the schema says", (filter, good) => {
  expect([taken(filter), described(filter)]).toEqual([good, good]);
});

test("has at most 200 conditions", () => {
  expect(taken({ all: Array.from({ length: 200 }, () => seen) })).toBe(true);
  expect(taken({ all: [{ any: Array.from({ length: 200 }, () => seen) }, seen] })).toBe(false);
});

test("has at most 50,000 values in all lists of its conditions together", () => {
  const among = (subject: string, values: number) => ({
    [subject]: "n",
    op: "in",
    value: Array.from({ length: values }, (_, i) => i),
  });
  const lists = Array.from({ length: 50 }, (_, i) => among(i % 2 === 0 ? "trigger" : "attribute", 1_000));
  expect(taken({ all: lists })).toBe(true);
  expect(taken({ all: [...lists, among("attribute", 1)] })).toBe(false);
});
