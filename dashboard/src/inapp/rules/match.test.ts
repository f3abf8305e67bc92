import fc from "fast-check";
import { expect, test } from "vitest";
import { compilePattern, fits as serviceFits, onScreen } from "../../../../server/src/inapp/rules/screens.ts";
import { nearlyFits } from "../../../../server/src/inapp/rules/nearly-fits.ts";
import { fits, missesOf, showsOn } from "./match.ts";

const name = fc.string({ unit: fc.constantFrom("a", "B", "b", "/", "-", "."), maxLength: 7 });
const pattern = fc.string({ unit: fc.constantFrom("a", "B", "b", "/", "-", "*"), minLength: 1, maxLength: 7 });
const list = fc.array(pattern, { maxLength: 3 });

test("the editor and the service agree which screens a rule fits, shows on and nearly fits", () => {
  fc.assert(
    fc.property(list, list, name, (include, exclude, screen) => {
      for (const one of include) expect(fits(one, screen)).toBe(serviceFits(compilePattern(one), screen));
      const compiled = (patterns: string[]) => patterns.map(compilePattern);
      expect(showsOn({ include, exclude }, screen)).toBe(onScreen(compiled(include), compiled(exclude), screen));
      for (const { pattern, near } of missesOf(include, [screen]))
        expect(near.includes(screen)).toBe(nearlyFits(pattern, screen));
    }),
  );
});

test("a rule that fits a known screen is no miss; one that nearly fits names what was meant", () => {
  const screens = ["Home", "checkout/cart", "checkout/pay"];
  expect(missesOf(["checkout/*", "Home"], screens)).toEqual([]);
  expect(missesOf(["/home", "Checkout/*", "profile"], screens)).toEqual([
    { pattern: "/home", near: ["Home"] },
    { pattern: "Checkout/*", near: ["checkout/cart", "checkout/pay"] },
    { pattern: "profile", near: [] },
  ]);
});
