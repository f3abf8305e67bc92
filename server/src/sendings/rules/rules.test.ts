import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { derivedId } from "../../platform/ids.ts";
import { localeOf, lookupAmong, wrongTags } from "./locale.ts";
import { type Plan, placeOf } from "./split.ts";

const ids = fc.uuid();
const plans: fc.Arbitrary<Plan> = fc.record({
  holdoutPercent: fc.integer({ min: 0, max: 5_000 }).map((hundredths) => hundredths / 100),
  variants: fc
    .array(fc.integer({ min: 1, max: 100 }), { minLength: 0, maxLength: 10 })
    .map((weights) => weights.map((weight, i) => ({ name: `v${i}`, weight }))),
});

describe("a split", () => {
  test("puts a person where the ids say, always, and another holdout moves nobody between variants", () => {
    fc.assert(
      fc.property(plans, ids, ids, fc.integer({ min: 0, max: 50 }), (plan, broadcast, person, holdoutPercent) => {
        const place = placeOf(plan, broadcast, person);
        expect(placeOf(structuredClone(plan), broadcast, person)).toEqual(place);
        if (plan.variants.length > 0) expect(plan.variants.map(({ name }) => name)).toContain(place.variant);
        else expect(place.variant).toBeNull();
        expect(placeOf({ ...plan, holdoutPercent }, broadcast, person).variant).toBe(place.variant);
      }),
    );
  });

  test("with a bigger holdout holds out the same people and more", () => {
    fc.assert(
      fc.property(plans, ids, ids, (plan, broadcast, person) => {
        const more = { ...plan, holdoutPercent: Math.min(50, plan.holdoutPercent + 10) };
        if (placeOf(plan, broadcast, person).heldOut) expect(placeOf(more, broadcast, person).heldOut).toBe(true);
      }),
    );
  });

  test("keeps the proportions, each decision apart from the other and from other broadcasts", () => {
    const people = Array.from({ length: 3_000 }, (_, i) => derivedId("person", String(i)));
    fc.assert(
      fc.property(plans, ids, ids, (plan, broadcast, other) => {
        const places = people.map((person) => placeOf(plan, broadcast, person));
        const near = (part: number, of: number, share: number) => {
          // Six standard deviations: one run in 10 to the 9 fails by chance, and the seed below makes that none.
          expect(Math.abs(part - of * share)).toBeLessThanOrEqual(6 * Math.sqrt(of * share * (1 - share)) + 1e-9);
        };
        const held = places.filter(({ heldOut }) => heldOut);
        near(held.length, people.length, plan.holdoutPercent / 100);
        const total = plan.variants.reduce((sum, { weight }) => sum + weight, 0);
        for (const { name, weight } of plan.variants) {
          near(places.filter(({ variant }) => variant === name).length, people.length, weight / total);
          near(held.filter(({ variant }) => variant === name).length, held.length, weight / total);
        }
        fc.pre(broadcast !== other);
        const both = people.filter((person, i) => places[i]?.heldOut && placeOf(plan, other, person).heldOut);
        near(both.length, people.length, (plan.holdoutPercent / 100) ** 2);
      }),
      { numRuns: 10, seed: 7 },
    );
  });

  test("of nothing holds out nobody", () => {
    expect(placeOf({ holdoutPercent: 0, variants: [] }, "b", "p")).toEqual({ heldOut: false, variant: null });
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

  test("finds what stands there itself, in any case, and nothing among none", () => {
    fc.assert(
      fc.property(fc.constantFrom("de", "pt-BR", "sr-Latn-RS", "es-419"), fc.boolean(), (tag, upper) => {
        expect(lookupAmong([tag])(upper ? tag.toUpperCase() : tag.toLowerCase())).toBe(tag);
        expect(lookupAmong([])(tag)).toBeNull();
      }),
    );
  });

  test("is wrong where it is no tag, where it stands for the default, and where it is there twice", () => {
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
