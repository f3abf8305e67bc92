import { expect, test } from "vitest";
import type { Draft } from "../../campaign-shape.ts";
import { firstValues, inputOf, meantBy, objectOf } from "./values.ts";

const draft = {
  trigger: { type: "event", name: "signed_up", where: [{ property: "plan", op: "eq", value: "pro" }] },
  steps: [{ id: "hello", type: "message" }],
} as Pick<Draft, "trigger" | "steps">;

test("a value that looks like a number, a yes or JSON is one, and anything else is a text", () => {
  expect(["42", "-1.5", "true", "null", "[1, 2]", '"42"', "pro", "", "12 bags", "{no"].map(meantBy)).toEqual([
    42,
    -1.5,
    true,
    null,
    [1, 2],
    "42",
    "pro",
    "",
    "12 bags",
    "{no",
  ]);
});

test("at first somebody made up does what the trigger waits for, with what it asks for", () => {
  const values = firstValues(draft, Date.parse("2030-01-01T10:00:00Z"));
  expect(inputOf(values, draft)).toEqual({
    person: { email: "ada@example.com", first_name: "Ada" },
    start: "2030-01-01T10:00:00.000Z",
    events: [{ at: "2030-01-01T10:00:00.000Z", eventName: "signed_up", properties: { plan: "pro" } }],
  });
});

test("rows that say nothing yet are left out, and so are steps that the journey no longer has", () => {
  const first = firstValues(draft, 0);
  const outcome = {
    key: 2,
    at: first.start,
    kind: "outcome" as const,
    event: "",
    properties: [],
    happened: "seen" as const,
  };
  const values = {
    ...first,
    attributes: [{ name: " ", value: "x" }],
    happenings: [
      { ...outcome, step: "gone" },
      { ...outcome, step: "hello" },
      { ...outcome, kind: "event" as const, step: "" },
    ],
    responses: [{ step: "gone", status: "500", body: "" }],
  };
  expect(inputOf(values, draft)).toMatchObject({ person: {}, events: [{ step: "hello", happened: "seen" }] });
  expect(inputOf(values, draft)).not.toHaveProperty("responses");
});

test("by a call the person enters with its data, also without any", () => {
  const byCall = { ...draft, trigger: { type: "api" } } as Pick<Draft, "trigger" | "steps">;
  const values = firstValues(byCall, 0);
  expect(inputOf(values, byCall)).toMatchObject({ data: {} });
  expect(inputOf({ ...values, data: [{ name: "total", value: "7" }] }, byCall)).toMatchObject({ data: { total: 7 } });
});

test("only an object of JSON is data of a call", () => {
  expect([objectOf(""), objectOf('{"a": 1}'), objectOf("[1]"), objectOf("{"), objectOf("7")]).toEqual([
    {},
    { a: 1 },
    undefined,
    undefined,
    undefined,
  ]);
});
