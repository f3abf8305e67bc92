import type { StepFilter } from "@tidings/contract/campaigns/filters";
import type { Filter } from "@tidings/contract/audience/audiences";
import fc from "fast-check";
import { expect, test } from "vitest";
import { conditionsIn, type Behaviour, passes, type RunFacts } from "./where.ts";

const seen: Behaviour = { sent: true, seen: true, clicked: false, failed: false };
const facts: RunFacts = {
  holds: (filter) => "attribute" in filter && filter.attribute === "yes",
  trigger: { total: 30, order: { id: "o1" } },
  steps: new Map([["mail", seen]]),
  now: new Date("2026-03-01T12:00:00Z"),
};
const attribute = (name: string): Filter => ({ attribute: name, op: "exists" });

test.each<[StepFilter, boolean]>([
  [{ trigger: "total", op: "gt", value: 20 }, true],
  [{ trigger: "order.id", op: "eq", value: "o1" }, true],
  [{ trigger: "none", op: "exists" }, false],
  [{ step: "mail", op: "seen" }, true],
  [{ step: "mail", op: "clicked" }, false],
  [{ step: "other", op: "sent" }, false],
  [{ not: { step: "other", op: "sent" } }, true],
  [attribute("yes"), true],
  [{ all: [attribute("yes"), { trigger: "total", op: "lt", value: 20 }] }, false],
])("%j is %j", (filter, expected) => {
  expect(passes(filter, facts)).toBe(expected);
});

test("a filter of any depth is as its conditions are, and names each of them once", () => {
  const { tree } = fc.letrec<{ tree: StepFilter }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom<StepFilter>(
        attribute("yes"),
        attribute("no"),
        { step: "mail", op: "seen" },
        { step: "x", op: "sent" },
      ),
      fc.array(tie("tree"), { maxLength: 3 }).map((all) => ({ all })),
      fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
      tie("tree").map((not) => ({ not })),
    ),
  }));
  const expected = (one: StepFilter): boolean => {
    const text = JSON.stringify(one);
    if ("all" in one) return !one.all.some((inner) => !expected(inner));
    if ("any" in one) return !one.any.every((inner) => !expected(inner));
    if ("not" in one) return !expected(one.not);
    return text.includes("yes") || text.includes("mail");
  };
  fc.assert(
    fc.property(tree, (filter) => {
      expect(passes(filter, facts)).toBe(expected(filter));
      const { conditions, steps } = conditionsIn(filter);
      const text = JSON.stringify(filter);
      expect(conditions.length).toBe(text.split('"attribute"').length - 1);
      expect(steps.has("mail")).toBe(text.includes('"mail"'));
    }),
  );
});
