import { expect, test } from "vitest";
import { completed, dataOf, fieldsOf, sampleOf } from "./sample-data.ts";

const schema = {
  type: "object",
  properties: {
    number: { type: ["string", "number", "boolean"] },
    total: { type: "number" },
    lines: { type: "array" },
    to: { type: "object", properties: { city: { type: ["string", "null"] } }, required: ["city"] },
  },
  required: ["number", "to"],
};

test("the fields of a contract have their whole names, types without null, and whether they are required", () => {
  expect(fieldsOf(schema)).toEqual([
    { name: "number", types: ["string", "number", "boolean"], required: true },
    { name: "total", types: ["number"], required: false },
    { name: "lines", types: ["array"], required: false },
    { name: "to.city", types: ["string"], required: true },
  ]);
});

test("a sample has a value of the right type for each field", () => {
  expect(sampleOf(schema)).toEqual({ number: "number", total: 42, lines: [{}], to: { city: "city" } });
});

test("data is completed, and keeps what it has", () => {
  const data = { number: 7, to: { zip: "1" }, other: true };
  expect(completed(data, schema)).toEqual({
    ...data,
    total: 42,
    lines: [{}],
    to: { zip: "1", city: "city" },
  });
});

test.each([
  ["", {}],
  ['{"a": 1}', { a: 1 }],
  ["[1]", undefined],
  ["{", undefined],
  ["null", undefined],
])("%j is read as %j", (text, data) => {
  expect(dataOf(text)).toEqual(data);
});
