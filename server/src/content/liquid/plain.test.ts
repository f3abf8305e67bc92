import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "./compile.ts";
import { INLINE } from "./engine.ts";
import { fill } from "./plain.ts";
import { renderHere } from "./render.ts";
import { rootOf, type Scope } from "./scope.ts";

const NAMES = ["a", "b", "name", "length", "0", "constructor", "toString"];
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(null, false, true, 0, -1.5, "", " ", "Ada", `<b>"&'`, "{{person.a}}", []),
    fc.string(),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES, "size"), tie("any"), { maxKeys: 4 }),
  ),
})).any;
const data = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 5 });
const scopes: fc.Arbitrary<Scope> = fc.record(
  {
    person: data,
    trigger: data,
    steps: data,
    links: fc.constant({ unsubscribe_url: "https://tidings.test/u?a=1&b=2" }),
  },
  { requiredKeys: ["person", "trigger"] },
);

const path = fc
  .tuple(
    fc.constantFrom("person", "trigger", "steps", "batch", "unsubscribe_url", "nothing"),
    fc.array(fc.constantFrom(...NAMES.map((name) => (/^[a-z]+$/.test(name) ? `.${name}` : `['${name}']`))), {
      maxLength: 3,
    }),
  )
  .map(([root, names]) => root + names.join(""));
const output = fc
  .tuple(
    path,
    fc.constantFrom("", " | default: 'friend'", " | default: ''", ` | default: "<i>"`),
    fc.constantFrom("", "-"),
  )
  .map(([name, filter, dash]) => `{{${dash} ${name}${filter} ${dash}}}`);
const template = fc
  .array(fc.oneof(output, fc.constantFrom("Hi ", "\n <p>", "}}", "&")), { maxLength: 6 })
  .map((pieces) => pieces.join(""));

test("names that are filled in here read as the library renders them", () => {
  let filled = 0;
  fc.assert(
    fc.property(template, scopes, fc.boolean(), (source, scope, html) => {
      const part = { name: "body", source, html };
      const compiled = compile(part);
      if (!compiled.pieces) return;
      filled++;
      expect(fill(compiled.pieces, html, scope)).toBe(
        renderHere(part, compiled, rootOf(scope), { ...INLINE, renderMs: 10_000 }),
      );
    }),
    { numRuns: 2_000 },
  );
  expect(filled).toBeGreaterThan(1_500);
});

test.each([
  "{{trigger.a | upcase}}",
  "{{trigger.a | default: trigger.b}}",
  "{{trigger.a | default: 'x', allow_false: true}}",
  "{{trigger.a | default: 'x' | upcase}}",
  "{{trigger.a == 1}}",
  "{{trigger.list.size}}",
  "{{trigger.list[0]}}",
  "{{trigger[person.a]}}",
  "{{'text'}}",
  "{{trigger.a | raw}}",
  "{% if trigger.a %}x{% endif %}",
  "{% comment %}x{% endcomment %}",
  "{% raw %}{{trigger.a}}{% endraw %}",
])("%s is left to the library", (source) => {
  expect(compile({ name: "body", source, html: true }).pieces).toBeUndefined();
});

test("what is longer than may be rendered beside the event loop is left to the library", () => {
  const compiled = compile({ name: "body", source: "{{trigger.a}}", html: false });
  const pieces = compiled.pieces ?? [];
  const long = (length: number): Scope => ({ person: {}, trigger: { a: "x".repeat(length) } });
  expect(fill(pieces, false, long(INLINE.memory))).toHaveLength(INLINE.memory);
  expect(fill(pieces, false, long(INLINE.memory + 1))).toBeUndefined();
});
