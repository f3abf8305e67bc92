import type { StepFilter } from "@tidings/contract/campaigns/filters";
import { expect, test } from "vitest";
import { say } from "../../../platform/language/say.ts";
import { sentenceOf } from "./sentence.ts";
import { texts } from "./texts.ts";

const names = new Map([
  ["bc_1", "October"],
  ["top_1", "News"],
  ["aud_1", "Offices"],
]);
const in_ = (language: "en" | "de") => (filter: unknown) =>
  sentenceOf(filter as StepFilter, {
    t: (key, values) => say(texts[key] as readonly [string, string], language, values),
    names,
    instant: (iso) => iso,
  });
const [english, german] = [in_("en"), in_("de")];

const tree = {
  all: [
    { attribute: "plan", op: "in", value: ["pro", "office"] },
    {
      any: [
        { event: "order_placed", op: "performed", count: { gte: 2 }, within: { amount: 30, unit: "days" } },
        { not: { subscribed: true, channel: "email", topic: "top_1" } },
      ],
    },
  ],
};

test("a filter is summed up in a sentence", () => {
  expect(english(tree)).toBe(
    "Everybody for whom this holds: plan is one of “pro”, “office” and (order_placed happened at least 2 times in the last 30 days or not (receives emails of “News”)).",
  );
  expect(german(tree)).toBe(
    "Alle, für die gilt: plan ist eines von „pro“, „office“ und (order_placed kam mindestens 2-mal in den letzten 30 Tagen vor oder nicht (bekommt E-Mails zu „News“)).",
  );
});

test("nobody, everybody, and groups with nothing in them are said", () => {
  expect(english(null)).toBe("No condition is chosen yet.");
  expect(english({ all: [] })).toBe("Everybody.");
  expect(english({ any: [] })).toBe("Everybody for whom this holds: nobody.");
  expect(english({ not: { any: [{ audience: "aud_1" }, { audience: "aud_2" }] } })).toBe(
    "Everybody for whom this holds: not (is in “Offices” or is in “aud_2”).",
  );
  expect(english({ not: { not: { audience: "aud_1" } } })).toContain("not (not (is in “Offices”))");
});

test.each([
  [{ attribute: "age", op: "gte", value: 18 }, "age is at least 18"],
  [{ attribute: "vip", op: "eq", value: true }, "vip is yes"],
  [{ attribute: "vip", op: "exists", value: false }, "vip is not set"],
  [{ attribute: "since", op: "within_last", value: { amount: 1, unit: "hours" } }, "since is in the last hour"],
  [{ attribute: "since", op: "before", value: "2026-01-31" }, "since is before 2026-01-31"],
  [{ attribute: "n", op: "in", value: [1, 2, 3, 4, 5, 6] }, "n is one of 1, 2, 3, 4, 2 more"],
  [{ attribute: "", op: "eq" }, "… is …"],
  [
    { event: "paid", op: "not_performed", count: { gte: 2, lt: 5 } },
    "not (paid happened at least 2 times and less than 5 times)",
  ],
  [
    { event: "paid", op: "not_performed", where: [{ property: "total", op: "gt", value: 10 }] },
    "paid (total is more than 10) did not happen",
  ],
  [
    {
      message: "clicked",
      op: "not_performed",
      source_id: "bc_1",
      channel: "email",
      within: { amount: 7, unit: "days" },
    },
    "no email of “October” was clicked in the last 7 days",
  ],
  [{ subscribed: false }, "does not receive messages"],
  [{ trigger: "total", op: "gt", value: 5 }, "total of the trigger is more than 5"],
  [{ step: "hello", op: "seen" }, "the message of step hello was seen"],
  [{ strange: 1 }, "a condition in JSON"],
])("%j is said", (condition, words) => {
  expect(english(condition)).toBe(`Everybody for whom this holds: ${words}.`);
  expect(german(condition)).not.toContain("undefined");
});
