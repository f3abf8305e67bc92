import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { linkKeyFrom, openLink, sealLink } from "./links.ts";

const secret = randomBytes(32);
const key = linkKeyFrom(secret);

test("a link returns any payload that was sealed, and the same payload makes the same text", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (payload) => {
      const plain = JSON.parse(JSON.stringify(payload)) as object;
      const text = sealLink(key, "click", plain);
      expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(openLink(key, "click", text)).toEqual(plain);
      expect(sealLink(linkKeyFrom(secret), "click", plain)).toBe(text);
    }),
  );
});

test("a link reveals nothing of its payload", () => {
  const text = sealLink(key, "click", { url: "https://example.test/secret-path" });
  expect(Buffer.from(text, "base64url").toString("latin1")).not.toContain("secret-path");
});

test("a link that was altered in any character does not open", () => {
  const text = sealLink(key, "click", { person: "ada" });
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(..."ABCxyz019-_.=% "), (at, other) => {
      const altered = text.slice(0, at) + other + text.slice(at + 1);
      expect(openLink(key, "click", altered)).toEqual(altered === text ? { person: "ada" } : undefined);
    }),
  );
});

test("a link for another purpose, from another installation, cut or foreign does not open", () => {
  const text = sealLink(key, "open", { person: "ada" });
  expect(openLink(key, "click", text)).toBeUndefined();
  expect(openLink(linkKeyFrom(randomBytes(32)), "open", text)).toBeUndefined();
  for (const foreign of ["", "A", text.slice(0, 20), text.slice(0, -1), `${text}AA`, "A".repeat(20_000), "../../etc"])
    expect(openLink(key, "open", foreign)).toBeUndefined();
  fc.assert(
    fc.property(fc.string(), (any) => {
      expect(openLink(key, "open", any)).toBeUndefined();
    }),
  );
});
