import type { Filter } from "@tidings/contract/audience/audiences";
import { expect, test } from "vitest";
import { loosened } from "./candidates.ts";

const pro: Filter = { attribute: "plan", op: "eq", value: "pro" };
const bought: Filter = { event: "bought", op: "performed" };
const [yes, no]: Filter[] = [{ all: [] }, { any: [] }];

test.each<[string, Filter, Filter | undefined]>([
  ["keeps what has no history", pro, pro],
  [
    "lets in whom events or messages decide about",
    { all: [pro, bought, { message: "opened", op: "performed" }] },
    { all: [pro, yes as Filter, yes as Filter] },
  ],
  ["lets in whom a not of them decides about", { not: bought }, { not: no as Filter }],
  [
    "turns twice in a not of a not",
    { not: { any: [{ not: bought }, pro] } },
    { not: { any: [{ not: yes as Filter }, pro] } },
  ],
  [
    "lets in whom the time of an attribute decides about",
    { attribute: "seen", op: "within_last", value: { amount: 1, unit: "days" } },
    yes,
  ],
  ["looks into saved audiences", { not: { audience: "aud_saved" } }, { not: no as Filter }],
  ["keeps lists", { audience: "aud_list" }, { audience: "aud_list" }],
])("a loosened filter %s", (_, filter, expected) => {
  expect(loosened(filter, (id) => (id === "aud_saved" ? bought : undefined))).toEqual(expected);
});
