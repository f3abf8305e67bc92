import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Problem } from "../platform/http/index.ts";
import { assemble, faultAt, offsetOf, snippetsIn } from "./assemble.ts";
import { applyPatch, formatOf, readDefinition } from "./definition.ts";

const body = (text: string) => ({ part: "body", text });
const layout = (text: string) => ({ part: "layout", text });
/** Words that look like our tags, in every wrong order. */
const words = fc.constantFrom(..."{% %} {{ }} snippet content raw endraw comment \" ' a b \n é <p>".split(" "), " ");
const wild = fc.array(words, { maxLength: 25 }).map((list) => list.join(""));
const calm = fc.string({ unit: fc.constantFrom(..."ab<>\n é".split("")), maxLength: 10 });

describe("assembling", () => {
  test("a text without tags of ours stays as it is", () => {
    fc.assert(
      fc.property(calm, fc.constantFrom("{{ a }}", "{% if b %}", "{ %", "{{ content }}"), (text, other) => {
        const source = text + other + text;
        expect(assemble(body(source), undefined, new Map()).text).toBe(source);
      }),
    );
  });

  test("each snippet stands in place of its tag, wherever it is named", () => {
    fc.assert(
      fc.property(fc.array(calm, { minLength: 1, maxLength: 6 }), calm, calm, (parts, inner, outer) => {
        const snippets = new Map([
          ["inner", inner],
          ["outer", `${outer}{% snippet "inner" %}${outer}`],
        ]);
        const filled = outer + inner + outer;
        const made = assemble(body(parts.join("{% snippet 'outer' %}")), layout(`<{{ content }}>${outer}`), snippets);
        expect(made.text).toBe(`<${parts.join(filled)}>${outer}`);
        expect([...made.snippets]).toEqual(parts.length > 1 ? ["outer", "inner"] : []);
      }),
    );
  });

  test("every place of the whole is told as the place of the text that it came from", () => {
    fc.assert(
      fc.property(calm, calm, calm, fc.nat(), (around, inside, text, at) => {
        const sources: Record<string, string> = {
          layout: `${around}{{ content }}${around}`,
          body: `${inside}{% snippet "s" %}${inside}`,
          "snippet s": text,
        };
        const made = assemble(body(sources.body as string), layout(sources.layout as string), new Map([["s", text]]));
        fc.pre(made.text.length > 0);
        const place = at % made.text.length;
        const { part, line, column } = faultAt(made, place, "is wrong").options.extra as {
          part: string;
          line: number;
          column: number;
        };
        const source = sources[part] as string;
        expect(source[offsetOf(source, line, column)]).toBe(made.text[place]);
      }),
    );
  });

  test("whatever stands in body, layout and snippets is assembled or refused as a problem", () => {
    fc.assert(
      fc.property(wild, wild, wild, (text, around, inner) => {
        try {
          assemble(body(text), layout(around), new Map([["a", inner]]));
          snippetsIn(body(text));
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
          expect((error as Problem).code).toBe("template_error");
        }
      }),
      { numRuns: 500 },
    );
  });

  test("tags in raw and comment blocks are left alone", () => {
    for (const text of ['{% raw %}{% snippet "a" %}{% endraw %}', "{%- comment -%}{% snippet a %}{%- endcomment -%}"]) {
      expect(snippetsIn(body(text))).toEqual([]);
      expect(assemble(body(text), undefined, new Map()).text).toBe(text);
    }
    expect(snippetsIn(body('{% raw %}{% endraw %}{% snippet "a" %}'))).toEqual(["a"]);
  });
});

describe("what an author wrote", () => {
  test.each([
    ["<mjml>", "mjml"],
    ["  \n<MJML lang='de'>", "mjml"],
    ["<mj-section>", "mjml"],
    ["<!-- a --><!-- b -->\n{% assign a = 1 %}<mj-text>", "mjml"],
    ["<!-- <mjml> -->x", "html"],
    ["<p><mj-text>", "html"],
    ["<!-- never closed <mjml>", "html"],
    ["mjml", "html"],
    ["", "html"],
  ])("%j is %s", (text, format) => {
    expect(formatOf(text)).toBe(format);
  });

  test("an edit changes what it names and nothing else", () => {
    const optional = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: undefined });
    const line = fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom("a", "b", "c") });
    const patch = fc
      .record({ subject: optional(line), preheader: optional(fc.option(line)), plaintext: optional(fc.option(line)) })
      .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
    fc.assert(
      fc.property(patch, patch, (first, second) => {
        const before = applyPatch(readDefinition({ subject: "s", body: "<p>x</p>" }), first);
        expect(applyPatch(before, second)).toEqual({ ...before, ...second });
        expect(applyPatch(before, {})).toEqual(before);
      }),
    );
  });
});
