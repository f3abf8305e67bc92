import fc from "fast-check";
import { expect, test } from "vitest";
import { engineOf } from "../../../../server/src/content/liquid/engine.ts";
import type { Known } from "./known.ts";
import { nearestOf } from "./nearest.ts";
import { scan } from "./scan.ts";
import { warningsOf } from "./warnings.ts";
import { FILTERS, TAGS } from "./words.ts";

const named = (...names: string[]) => names.map((name) => ({ name }));
const known: Known = {
  person: { names: named("first_name", "last_name", "plan"), all: true },
  trigger: { names: named("number", "total"), all: true },
  steps: [{ id: "pay", fields: ["event"], event: { names: named("amount"), all: true } }],
  batch: true,
};
const said = (text: string, of = known) =>
  warningsOf(scan(text), of).map(({ code, name, near }) => [code, name, near].filter(Boolean).join(" "));

test.each([
  ["Hi {{person.frist_name}}", "person frist_name first_name"],
  ["Hi {{ person.firstName | default: 'you' }}", "person firstName first_name"],
  ["Hi {{ person['frist_name'] }}", "person frist_name first_name"],
  ["{{person.shoe_size}}", "person shoe_size"],
  ["{{trigger.nubmer}}", "trigger nubmer number"],
  ["{{first_name}}", "root first_name person.first_name"],
  ["{{peron.first_name}}", "root peron person"],
  ["{{steps.pya.event.amount}}", "step pya pay"],
  ["{{steps.pay.response}}", "step_field response"],
  ["{{steps.pay.event.amonut}}", "trigger amonut amount"],
  ["{{batch.item}}", "batch item items"],
  ["{{person.plan | upcas}}", "filter upcas upcase"],
  ["{% fi person.plan %}{% endif %}", "tag fi"],
  ["{% if person.paln == 'pro' %}x{% endif %}", "person paln plan"],
  ["{% liquid\n assign x = person.paln\n echo x %}", "person paln plan"],
  ["{{ person.frist_name", "person frist_name first_name"],
])("%s is warned about: %s", (text, expected) => {
  expect(said(text)).toEqual([expected]);
});

test.each([
  "Hi {{person.first_name}}, {{ person.email }} {{person.id}}",
  "{% for line in trigger.number %}{{line.price}} {{forloop.index}}{% endfor %}",
  "{% assign whole = trigger.total | times: 2 %}{{ whole }}",
  "{% capture greeting %}Hi{% endcapture %}{{ greeting }}",
  "{{ trigger.total | date: '%Y', 'x' | truncate: 3 }} {{person.plan.size}}",
  "{% comment %}{{person.nobody}}{% endcomment %}{% raw %}{{person.nobody}}{% endraw %}{% # person.nobody %}",
  "{{ steps.pay.event.amount }} {{ batch.count }} {{ unsubscribe_url }}",
  "{{ trigger.number[0].anything }} {{ trigger.number[person.plan] }}",
  "a { b } {{}} {%%} { { person.nobody } }",
])("%s has no warning", (text) => {
  expect(said(text)).toEqual([]);
});

test("nothing is warned about as long as the names are not known", () => {
  const unknown = { names: [], all: false };
  const of: Known = { person: unknown, trigger: unknown, steps: [], batch: false };
  expect(said("{{person.nobody}} {{trigger.nothing}}", of)).toEqual([]);
});

test("data of a call is warned about where nothing calls", () => {
  const of: Known = { ...known, trigger: undefined, steps: [], batch: false };
  expect(said("{{trigger.number}} {{batch.count}}", of)).toEqual(["no_trigger trigger", "no_batch batch"]);
});

test("tokens follow each other in any text, and each name is where it says", () => {
  const piece = fc.constantFrom(
    "{{",
    "}}",
    "{%",
    "%}",
    "person",
    ".",
    "name",
    "[",
    "]",
    "'",
    '"',
    "|",
    " ",
    "\n",
    "if",
    "-",
    "raw",
    "#",
    "1",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      const { tokens, paths, filters, tags } = scan(text);
      let end = 0;
      for (const { from, to } of tokens) {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(to).toBeGreaterThan(from);
        end = to;
      }
      expect(end).toBeLessThanOrEqual(text.length);
      for (const { name, from, to } of [...paths.flat(), ...filters, ...tags]) expect(text.slice(from, to)).toBe(name);
    }),
  );
});

test.each([
  ["frist_name", "first_name"],
  ["FirstName", "first_name"],
  ["plna", "plan"],
  ["id", undefined],
  ["colour", undefined],
])("nearest to %s is %s", (name, near) => {
  expect(nearestOf(name, ["last_name", "first_name", "plan", "sid"])).toBe(near);
});

test("the filters and tags are those of the service", () => {
  const { filters, tags } = engineOf(true);
  expect(FILTERS.toSorted()).toEqual(Object.keys(filters).toSorted());
  const opening = TAGS.filter((tag) => !/^(?:end|els|when)/.test(tag));
  expect(opening.toSorted()).toEqual(
    Object.keys(tags)
      .filter((tag) => tag !== "#")
      .toSorted(),
  );
});
