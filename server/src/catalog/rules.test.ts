import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isCatalogName, typeBit, typesIn } from "./names.ts";
import { isPersonal, LEAST_PEOPLE, MOST_VALUES, shownValues } from "./values.ts";

test.each(["order placed", "Order.Placed", "order_123_paid", "注文", "added", "feed", "2fa", "plan-2026"])(
  "%j is a name of the catalog",
  (name) => expect(isCatalogName(name)).toBe(true),
);

test.each([
  "",
  " ",
  "ada@example.test",
  "user 4915112345678",
  "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  "x 0f1e2d3c4b5a6978",
])("%j is none: a program made it from an id or an address", (name) => expect(isCatalogName(name)).toBe(false));

test("a value has one type", () => {
  const types = (value: unknown) => typesIn(typeBit(value));
  expect(
    ["a", "2026-01-31", "2026-01-31T12:00:00.5+01:00", "2026-01-31 or so", 1, true, {}, [], null].map(types),
  ).toEqual([["string"], ["time"], ["time"], ["string"], ["number"], ["boolean"], ["object"], ["array"], []]);
});

describe("the values of a field", () => {
  const values = fc.array(
    fc.record({
      value: fc.oneof(fc.string(), fc.emailAddress(), fc.uuid(), fc.integer(), fc.boolean()),
      people: fc.integer({ min: 1, max: 40 }),
    }),
  );
  test("are few, of several people each, and never an address or an id, whatever the sample has", () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 500 }), (all, people) => {
        const shown = shownValues({ name: "plan", people, values: all });
        expect(shown.length).toBeLessThanOrEqual(MOST_VALUES);
        for (const { value, people: having } of shown) {
          expect(having).toBeGreaterThanOrEqual(LEAST_PEOPLE);
          expect(String(value)).not.toMatch(/@|[0-9a-f]{8}-/);
        }
      }),
    );
  });

  test("are not shown where most people have a rare one", () => {
    const some = [{ value: "Berlin", people: 10 }];
    expect(shownValues({ name: "city", people: 21, values: some })).toEqual([]);
    expect(shownValues({ name: "city", people: 20, values: some })).toEqual(some);
  });

  test.each([
    "name",
    "firstName",
    "last_name",
    "work_email",
    "eMail",
    "phoneNumber",
    "shippingAddress",
    "birthday",
    "apiToken",
    "notes",
  ])("of %s are texts about one person, but whether it is there may be shown", (name) => {
    const field = { name, people: 20 };
    expect(shownValues({ ...field, values: [{ value: "Anna", people: 20 }] })).toEqual([]);
    expect(shownValues({ ...field, values: [{ value: true, people: 20 }] })).toHaveLength(1);
  });

  test.each(["plan_name", "product_name", "accountType", "country", "zipped", "ship", "rotation"])(
    "of %s are not personal by its name",
    (name) => expect(isPersonal(name)).toBe(false),
  );
});
