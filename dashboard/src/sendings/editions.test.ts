import type { EditionsInput } from "@tidings/contract/messages/sendings";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  editionAt,
  localesAt,
  pointerOf,
  renamed,
  sharesOf,
  tagOf,
  withEdition,
  withLocale,
  withoutLocale,
  withoutVariant,
  withVariant,
} from "./editions.ts";

const one: EditionsInput = { content: { subject: "Hello" }, locales: { de: { content: { subject: "Hallo" } } } };

test("a split begins with what everybody gets as A, and the same as B", () => {
  expect(withVariant(one)).toEqual({
    variants: [
      { name: "A", weight: 1, ...one },
      { name: "B", weight: 1, ...one },
    ],
  });
});

test("a new variant takes the first name that is free", () => {
  const named = renamed(withVariant(one), 1, { name: "C" });
  expect(withVariant(named).variants?.map(({ name }) => name)).toEqual(["A", "C", "B"]);
});

test("the last variant that is left is what everybody gets, with its languages", () => {
  expect(withoutVariant(withVariant(one), 0)).toEqual(one);
  const three = withVariant(withVariant(one));
  expect(withoutVariant(three, 1).variants?.map(({ name }) => name)).toEqual(["A", "C"]);
});

test("a new language begins as what everybody gets, and is removed without a trace", () => {
  const more = withLocale({ message_id: "msg_1" }, undefined, "fr");
  expect(more).toEqual({ message_id: "msg_1", locales: { fr: { message_id: "msg_1" } } });
  expect(withoutLocale(more, undefined, "fr")).toEqual({ message_id: "msg_1", locales: null });
});

const places = [{}, { locale: "de" }];
test.each(places)("what is written at %o is found there, and nothing else changes", (place) => {
  for (const value of [one, withVariant(one)]) {
    const variant = value.variants ? 1 : undefined;
    const at = { variant, ...place };
    const next = withEdition(value, at, { content: { subject: "New" } });
    expect(editionAt(next, at)).toEqual({ content: { subject: "New" } });
    expect(withEdition(next, at, editionAt(value, at))).toEqual(value);
    expect(localesAt(next, variant)).toEqual(["de"]);
  }
});

test.each([
  [{}, ""],
  [{ locale: "pt-BR" }, "locales/pt-BR"],
  [{ variant: 1 }, "variants/1"],
  [{ variant: 0, locale: "de" }, "variants/0/locales/de"],
])("%o is at %j", (place, pointer) => {
  expect(pointerOf(place)).toBe(pointer);
});

test("the shares of variants are in proportion to their weights, and all of it", () => {
  expect(sharesOf([{ weight: 1 }, { weight: 3 }])).toEqual([0.25, 0.75]);
  const weights = fc.array(fc.record({ weight: fc.integer({ min: 1, max: 1_000_000 }) }), { minLength: 2 });
  fc.assert(fc.property(weights, (them) => Math.abs(sharesOf(them).reduce((a, b) => a + b) - 1) < 1e-9));
});

test.each([
  ["pt_br", "pt-BR"],
  [" DE ", "de"],
  ["default", undefined],
  ["", undefined],
  ["not a tag", undefined],
])("%j is the language %j", (text, tag) => {
  expect(tagOf(text)).toBe(tag);
});
