import { expect, test } from "vitest";
import type { Known } from "./known.ts";
import { suggestionsAt } from "./suggestions.ts";

const known: Known = {
  person: { names: [{ name: "first_name", types: ["string"], people: 1_800 }, { name: "plan" }], all: true },
  trigger: { names: [{ name: "number" }], all: false },
  steps: [{ id: "pay", fields: ["event"], event: { names: [{ name: "amount" }], all: true } }],
  batch: false,
};
const t = (key: string, values?: Record<string, string | number>) => (values ? `${key} ${values.count}` : key);

/** `^` stands for the cursor. */
function at(marked: string, of = known) {
  const cursor = marked.indexOf("^");
  const found = suggestionsAt(marked.replace("^", ""), cursor, of, t as never);
  return found && { typed: marked.slice(found.from, cursor), names: found.of.map(({ name }) => name) };
}

test.each([
  ["Hi {{ ^ }}", "", ["person", "trigger", "steps"]],
  ["Hi {{pe^", "pe", ["person"]],
  ["{{ person.fi^ }}", "fi", ["first_name", "plan", "email"]],
  ["{{ trigger.^ }}", "", ["number"]],
  ["{{ steps.^ }}", "", ["pay"]],
  ["{{ steps.pay.^ }}", "", ["event"]],
  ["{{ steps.pay.event.am^ }}", "am", ["amount"]],
  ["{{ person.plan | up^ }}", "up", ["upcase"]],
  ["{% ^ %}", "", ["if", "for"]],
  ["{% if person.p^ %}", "p", ["plan"]],
  ["{% assign whole = 1 %}{{ wh^ }}", "wh", ["whole"]],
])("at %s, after %j, there are %j", (text, typed, names) => {
  const found = at(text);
  expect(found?.typed).toBe(typed);
  for (const name of names) expect(found?.names).toContain(name);
});

test.each(["Hi ^{{ person }}", "{{ person }}^", "Hi ^", '{{ "^" }}', "{{ person.plan.^ }}", "{{ other.^ }}"])(
  "at %s there are none",
  (text) => {
    expect(at(text)).toBeUndefined();
  },
);

test("a name comes with its type and the number of people who have it, and what nobody can name is not offered", () => {
  expect(suggestionsAt("{{person.", 9, known, t as never)?.of[0]).toEqual({
    name: "first_name",
    detail: "type_string · people 1800",
  });
  const broadcast = { ...known, trigger: undefined, steps: [] };
  expect(at("{{ ^ }}", broadcast)?.names).not.toContain("trigger");
});
