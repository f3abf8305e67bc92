import fc from "fast-check";
import { expect, test } from "vitest";
import { renderParts } from "../index.ts";

const TURN = { workspaceId: "w", kind: "bulk" } as const;

async function rendered(source: string, trigger: Record<string, unknown>) {
  const [text] = await renderParts([{ name: "subject", source, html: false }], { trigger, person: {}, turn: TURN });
  return text;
}

test("arithmetic with amounts of money is exact to the cent", async () => {
  const cents = fc.integer({ min: -10_000_000, max: 10_000_000 });
  const source =
    "{{ trigger.a | plus: trigger.b }} {{ trigger.a | minus: trigger.b }} {{ trigger.a | times: trigger.n }}";
  await fc.assert(
    fc.asyncProperty(cents, cents, fc.integer({ min: -1_000, max: 1_000 }), async (a, b, n) => {
      const shown = await rendered(source, { a: a / 100, b: b / 100, n });
      expect(shown).toBe([a + b, a - b, a * n].map((sum) => String(sum / 100)).join(" "));
    }),
  );
});

test.each([
  ["0.1 | plus: 0.2", "0.3"],
  ["4.35 | times: 100", "435"],
  ["10 | divided_by: 4", "2.5"],
  ["10 | divided_by: 4, true", "2"],
  ["9007199254740991 | divided_by: 1", "9007199254740991"],
  ["1 | divided_by: 3", "0.333333333333333"],
  ["0.3 | modulo: 0.1", "0"],
  ["-7 | modulo: 3", "2"],
  ["'12.50' | times: 'x'", "0"],
  ["trigger.items | sum: 'price'", "0.3"],
  ["trigger.none | sum", "0"],
  ["trigger.prices | sum", "0.3"],
  ["1 | divided_by: 0", ""],
  ["1 | modulo: 0", ""],
  ["1 | divided_by: trigger.none | default: 'none'", "none"],
  ["trigger.precise", "0.30000000000000004"],
])("{{ %s }} is shown as %j", async (source, shown) => {
  const data = {
    prices: [0.1, 0.2, "x", null],
    items: [{ price: 0.1 }, { price: "0.2" }, {}],
    precise: 0.1 + 0.2,
  };
  expect(await rendered(`{{ ${source} }}`, data)).toBe(shown);
});
