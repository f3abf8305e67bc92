import fc from "fast-check";
import { expect, test } from "vitest";
import { scrubbed, scrubber } from "./scrub.ts";

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const html = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
const numbered = (text: string) => [...text].map((letter) => `&#x${letter.codePointAt(0)?.toString(16)};`).join("");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const base64url = (text: string) => Buffer.from(text).toString("base64url");

const secret = fc
  .string({ unit: "grapheme", minLength: 4, maxLength: 60 })
  .filter((text) => text.isWellFormed() && !/[\r\n]/.test(text) && Buffer.byteLength(text) >= 8);

test("a secret is found in plain, escaped for JSON, a URL and HTML, and in base64 with any text around it", () => {
  const around = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(secret, around, around, (password, before, after) => {
      const scrub = scrubber({ password });
      for (const form of [password, json(password), encodeURIComponent(password), html(password)])
        expect(scrub(`<${form}>`)).toBe("<***>");
      expect(scrub(new URLSearchParams({ password }).toString())).toBe("password=***");
      for (const encode of [base64, base64url]) {
        const whole = encode(before + password + after);
        const said = scrub(`535 ( ${whole} ) wrong`);
        expect(said).toBe("535 ( *** ) wrong");
      }
    }),
  );
});

test("a user and a short password are found together in base64, as SMTP and HTTP send them", () => {
  const scrub = scrubber({ password: "pa55" }, { user: "ada" });
  for (const pair of ["ada:pa55", "\0ada\0pa55", "ada\0ada\0pa55"])
    for (const encode of [base64, base64url]) expect(scrub(`got ${encode(pair)} here`)).toMatch(/^got \*\*\*=* here$/);
  expect(scrub(`334 ${base64("pa55")}`)).toBe("334 ***==");
});

test("characters written by their numbers are found, and the lines of a key each for itself", () => {
  expect(scrubber({ key: "s3cr&t<>/+x" })(`no ${numbered("&")} s3cr&#38;t&#60;&#x3E;%2f\\u002bx`)).toBe(
    "no &#x26; ***",
  );
  const pem =
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n-----END PRIVATE KEY-----\n";
  const said = scrubber({ pem })(`bad key ${json(pem)} or AQEFAASCBKcwggSjAgEAAoIB`);
  expect(said).not.toMatch(/MIIE|AQEF/);
});

test("words that are no secret stay, and a text of a mebibyte is read in no time", () => {
  const scrub = scrubber({ password: "correct horse battery" }, { user: "ada" });
  const words =
    "550 5.1.1 <ada@example.test>: no such user, see https://example.test/help?code=550&to=ada%40example.test";
  expect(scrub(words)).toBe(words);
  const before = process.threadCpuUsage().user;
  scrub("a".repeat(1 << 20));
  scrub("correct%20hors".repeat(70_000));
  expect((process.threadCpuUsage().user - before) / 1_000).toBeLessThan(500);
  expect(scrubbed("token abc.def/ghi was refused", ["abc.def/ghi", "to"])).toBe("token *** was refused");
});
