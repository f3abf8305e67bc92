import { createECDH } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decrypted } from "../../../../test/support/providers/webpush.ts";
import { encrypted, LONGEST_TEXT } from "./aes128gcm.ts";

const raw = (text: string) => Buffer.from(text, "base64url");

test("the example of RFC 8291 is encrypted to the same bytes", () => {
  const body = encrypted(
    Buffer.from("When I grow up, I want to be a watermelon"),
    {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
    raw("DGv6ra1nlYgDCS1FRnbzlw"),
    raw("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
  );
  expect(body.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("the browser reads the text that was encrypted, in at most 4,096 bytes, which are never the same twice", () => {
  const browser = createECDH("prime256v1");
  const keys = { p256dh: browser.generateKeys("base64url", "uncompressed"), auth: raw("BTBZMqHH6r4Tts7J_aSIgg") };
  const theirs = { p256dh: keys.p256dh, auth: keys.auth.toString("base64url") };
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: LONGEST_TEXT, size: "max" }), (text) => {
      const [first, second] = [encrypted(Buffer.from(text), theirs), encrypted(Buffer.from(text), theirs)];
      expect(first.length).toBeLessThanOrEqual(4_096);
      expect(first.equals(second)).toBe(false);
      expect(decrypted(first, browser, keys.auth).equals(text)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test.each([
  ["", "BTBZMqHH6r4Tts7J_aSIgg"],
  ["BCVxsr7N", "BTBZMqHH6r4Tts7J_aSIgg"],
  [Buffer.alloc(65, 4).toString("base64url"), "BTBZMqHH6r4Tts7J_aSIgg"],
  ["BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "short"],
])("invalid keys, %j and %j, are an error", (p256dh, auth) => {
  expect(() => encrypted(Buffer.from("text"), { p256dh, auth })).toThrow();
});
