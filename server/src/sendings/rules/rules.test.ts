import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { derivedId } from "../../platform/ids.ts";
import { localeOf, lookupAmong, wrongTags } from "./locale.ts";
import { assignmentOf, type Split } from "./split.ts";

const ids = fc.uuid();
const splits: fc.Arbitrary<Split> = fc.record({
  holdoutPercent: fc.integer({ min: 0, max: 5_000 }).map((hundredths) => hundredths / 100),
  variants: fc
    .array(fc.integer({ min: 1, max: 100 }), { minLength: 0, maxLength: 10 })
    .map((weights) => weights.map((weight, i) => ({ name: `v${i}`, weight }))),
});

describe("a split", () => {
  test("assigns a person by the ids alone, and another holdout moves nobody between variants", () => {
    fc.assert(
      fc.property(splits, ids, ids, fc.integer({ min: 0, max: 50 }), (split, broadcast, person, holdoutPercent) => {
        const assignment = assignmentOf(split, broadcast, person);
        expect(assignmentOf(structuredClone(split), broadcast, person)).toEqual(assignment);
        if (split.variants.length > 0) expect(split.variants.map(({ name }) => name)).toContain(assignment.variant);
        else expect(assignment.variant).toBeNull();
        expect(assignmentOf({ ...split, holdoutPercent }, broadcast, person).variant).toBe(assignment.variant);
      }),
    );
  });

  test("with a larger holdout holds out the same people and more", () => {
    fc.assert(
      fc.property(splits, ids, ids, (split, broadcast, person) => {
        const more = { ...split, holdoutPercent: Math.min(50, split.holdoutPercent + 10) };
        if (assignmentOf(split, broadcast, person).heldOut)
          expect(assignmentOf(more, broadcast, person).heldOut).toBe(true);
      }),
    );
  });

  test("keeps the proportions, and each decision is independent of the other and of other broadcasts", () => {
    const people = Array.from({ length: 3_000 }, (_, i) => derivedId("person", String(i)));
    fc.assert(
      fc.property(splits, ids, ids, (split, broadcast, other) => {
        const assignments = people.map((person) => assignmentOf(split, broadcast, person));
        const near = (part: number, of: number, share: number) => {
          // Six standard deviations: one run in 10^9 would fail by chance, and the fixed seed below makes it none.
          expect(Math.abs(part - of * share)).toBeLessThanOrEqual(6 * Math.sqrt(of * share * (1 - share)) + 1e-9);
        };
        const held = assignments.filter(({ heldOut }) => heldOut);
        near(held.length, people.length, split.holdoutPercent / 100);
        const total = split.variants.reduce((sum, { weight }) => sum + weight, 0);
        for (const { name, weight } of split.variants) {
          near(assignments.filter(({ variant }) => variant === name).length, people.length, weight / total);
          near(held.filter(({ variant }) => variant === name).length, held.length, weight / total);
        }
        fc.pre(broadcast !== other);
        const both = people.filter(
          (person, i) => assignments[i]?.heldOut && assignmentOf(split, other, person).heldOut,
        );
        near(both.length, people.length, (split.holdoutPercent / 100) ** 2);
      }),
      { numRuns: 10, seed: 7 },
    );
  });

  test("without a holdout and variants holds out nobody", () => {
    expect(assignmentOf({ holdoutPercent: 0, variants: [] }, "b", "p")).toEqual({ heldOut: false, variant: null });
  });
});

describe("a locale", () => {
  const among = lookupAmong(["pt", "pt-BR", "zh-Hant", "de-AT", "he", "en-GB"]);
  test.each([
    ["pt-BR", "pt-BR"],
    ["PT-br", "pt-BR"],
    ["pt_BR", "pt-BR"],
    ["pt-PT", "pt"],
    ["pt-BR-x-rio", "pt-BR"],
    ["zh-Hant-TW", "zh-Hant"],
    ["zh-Hant-a-myext-x-private", "zh-Hant"],
    ["zh", null],
    ["de", null],
    ["de-AT-1996", "de-AT"],
    ["iw-IL", "he"],
    ["en-US", null],
    ["en", null],
    ["not a tag", null],
    ["pt--", "pt"],
    [`pt-x-${"a-".repeat(60)}b`, null],
    ["", null],
    [null, null],
  ])("%s finds %s", (wanted, found) => {
    expect(among(wanted)).toBe(found);
  });

  test("finds its own tag in upper and lower case, and nothing in an empty list", () => {
    fc.assert(
      fc.property(fc.constantFrom("de", "pt-BR", "sr-Latn-RS", "es-419"), fc.boolean(), (tag, upper) => {
        expect(lookupAmong([tag])(upper ? tag.toUpperCase() : tag.toLowerCase())).toBe(tag);
        expect(lookupAmong([])(tag)).toBeNull();
      }),
    );
  });

  test("is refused if it is no tag, if it is the word default, and if it is given twice", () => {
    const wrong = wrongTags(["de", "DE", "pt_BR", "", "*", "default", "i", "en-", "he", "iw", "pt-BR"]);
    expect([...wrong.keys()]).toEqual(["DE", "pt_BR", "", "*", "default", "i", "en-", "iw"]);
    expect(wrong.get("iw")).toBe("is the same language as he");
  });

  test("of a person is the attribute locale, else a text in language", () => {
    expect(localeOf({ locale: "de", attributes: { language: "fr" } })).toBe("de");
    expect(localeOf({ locale: null, attributes: { language: "fr" } })).toBe("fr");
    expect(localeOf({ locale: null, attributes: { language: 7 } })).toBeNull();
    expect(localeOf({ locale: null, attributes: {} })).toBeNull();
  });
});
