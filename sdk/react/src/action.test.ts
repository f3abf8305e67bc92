import fc from "fast-check";
import { expect, test } from "vitest";
import { deepLink, imageAddress } from "./action.ts";

const BASE = "https://shop.example/checkout/cart";
const schemes = fc.constantFrom("javascript", "data", "vbscript", "blob", "filesystem");
const blank = fc.string({ unit: fc.constantFrom("\t", "\n", "\r") });

test("a link of http, https or an application leads where it says", () => {
  expect(deepLink("https://a.example/x?y#z", BASE)).toBe("https://a.example/x?y#z");
  expect(deepLink("app://checkout?code=SPRING", BASE)).toBe("app://checkout?code=SPRING");
  expect(deepLink("/product/teapot", BASE)).toBe("https://shop.example/product/teapot");
});

test("a link that would run code leads nowhere, however it is written", () => {
  fc.assert(
    fc.property(
      schemes,
      fc.infiniteStream(blank),
      fc.infiniteStream(fc.boolean()),
      fc.string(),
      (scheme, blanks, upper, rest) => {
        const written = [...`${scheme}:`]
          .map((letter) => (upper.next().value ? letter.toUpperCase() : letter) + blanks.next().value)
          .join("");
        expect(deepLink(` \u0001\n${written}${rest}`, BASE)).toBeUndefined();
      },
    ),
  );
});

test("whatever a link is, it is never an error", () => {
  fc.assert(fc.property(fc.string(), (value) => void [deepLink(value, BASE), imageAddress(value, BASE)]));
  expect([deepLink(undefined, BASE), deepLink("", BASE), deepLink("https://", BASE)]).toEqual(Array(3).fill(undefined));
});

test("an image comes over http or https", () => {
  expect(imageAddress("http://a.example/i.png", BASE)).toBe("http://a.example/i.png");
  for (const value of ["data:image/png;base64,AA", "javascript:1", "app://i.png", "file:///etc/passwd", null])
    expect(imageAddress(value, BASE)).toBeUndefined();
});
