import { domainToASCII } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { address, mailbox } from "./mailbox.ts";

describe("address", () => {
  test.each([
    ["a@b.test", "a@b.test"],
    ["First.Last+tag@Sub.Example.TEST", "First.Last+tag@sub.example.test"],
    ["o'hara/x=y@example.test", "o'hara/x=y@example.test"],
    [`${"jürgen".replace("ü", "u")}@bücher.example`, "jurgen@xn--bcher-kva.example"],
    ["a@例え.テスト", "a@xn--r8jz45g.xn--zckzah"],
    ["a@localhost", "a@localhost"],
    [`${"x".repeat(64)}@b.test`, `${"x".repeat(64)}@b.test`],
  ])("%s is %s", (text, expected) => expect(address(text)).toBe(expected));

  test.each([
    "",
    "a",
    "@b.test",
    "a@",
    "a@b",
    "a b@c.test",
    " a@b.test",
    "a@b.test ",
    "a@b..test",
    "a@.b.test",
    "a@b.test.",
    "a@-b.test",
    "a@b-.test",
    ".a@b.test",
    "a.@b.test",
    "a..b@c.test",
    '"a b"@c.test',
    "a@[127.0.0.1]",
    "a@127.0.0.1",
    "a@1.2",
    "a@b.test,c@d.test",
    "a@b.test;c@d.test",
    "a@b@c.test",
    "<a@b.test>",
    "Name <a@b.test>",
    "a(comment)@b.test",
    "a@b.test\r\nRCPT TO:<evil@y.test>",
    "a@b.test\n",
    "a\0@b.test",
    "a@b.test\u2028",
    "jürgen@b.test",
    "a@b%2ec.test",
    "a@b/c.test",
    "a@b:25.test",
    `${"x".repeat(65)}@b.test`,
    `a@${"b.".repeat(130)}test`,
    "a@xn--",
    "a@\u00ad.test",
    "a@b.\ud800",
  ])("%j is refused", (text) => expect(address(text)).toBeUndefined());

  test("an accepted address has exactly one @, is printable ASCII, and is accepted again unchanged", () => {
    const part = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constantFrom("a", "b.test", "@", ".", "\r\n", "<", ">", ",", "ü"),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const found = address(parts.join(""));
        if (found === undefined) return;
        expect(found).toMatch(/^[\x21-\x7e]+$/);
        expect(found.split("@")).toHaveLength(2);
        expect(found).not.toMatch(/[\s<>,;:"\\()[\]]/);
        expect(address(found)).toBe(found);
      }),
      { numRuns: 5_000 },
    );
  });

  test("every dot-atom at every plain domain is accepted", () => {
    const atom = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,12}$/);
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/);
    fc.assert(
      fc.property(
        fc.array(atom, { minLength: 1, maxLength: 4 }),
        fc.array(label, { minLength: 2, maxLength: 4 }),
        (local, domain) => {
          const text = `${local.join(".")}@${domain.join(".")}`;
          expect(address(text)).toBe(text);
        },
      ),
    );
  });
});

test("a domain that skips the conversion is the same after the rules of IDN", () => {
  const label = fc.oneof(
    fc.stringMatching(/^[a-z0-9-]{1,8}$/),
    fc.constantFrom("xn--", "xn--a", "xn--mller-kva", "0x7f", "a--b", "1"),
  );
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
      const domain = labels.join(".");
      const found = address(`a@${domain}`);
      if (found !== undefined) expect(found).toBe(`a@${domainToASCII(domain)}`);
    }),
    { numRuns: 5_000 },
  );
});

describe("mailbox", () => {
  test.each([
    ["Acme <hello@acme.test>", { name: "Acme", address: "hello@acme.test" }],
    ['"Acme, Inc." <hello@acme.test>', { name: "Acme, Inc.", address: "hello@acme.test" }],
    ["Müller & Söhne <a@b.test>", { name: "Müller & Söhne", address: "a@b.test" }],
    ["<a@b.test>", { address: "a@b.test" }],
    ["  a@b.test ", { address: "a@b.test" }],
  ])("%s", (text, expected) => expect(mailbox(text)).toEqual(expected));

  test.each([
    "A <a@b.test>, B <c@d.test>",
    "A <a@b.test> x",
    "A <<a@b.test>>",
    'A" <a@b.test>',
    "A\r\nBcc: x <a@b.test>",
    "<>",
    "A <a@b.test\r\n>",
    "a@b.test, c@d.test",
  ])("%j is refused", (text) => expect(mailbox(text)).toBeUndefined());

  test("a name never carries a line break or a bracket", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const found = mailbox(`${name} <a@b.test>`);
        if (found?.name !== undefined) expect(found.name).not.toMatch(/[\p{Cc}<>"\p{Cs}]/u);
      }),
      { numRuns: 2_000 },
    );
  });
});
