import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDkim } from "./dkim.ts";
import { parseDmarc, related } from "./dmarc.ts";
import type { Found } from "./lookups.ts";
import { MOST_COUNTED, parseSpf, type Spf, walkSpf, withInclude } from "./spf.ts";

const names = fc.constantFrom("a.example", "b.example", "c.example", "_spf.d.example", "e.example");
const mechanism = fc.oneof(
  fc.constantFrom("a", "mx", "ptr", "a/24", "mx/16//64", "ip4:192.0.2.1", "ip4:192.0.2.0/24", "ip6:2001:db8::/32"),
  names.map((name) => `include:${name}`),
  names.map((name) => `exists:%{i}.${name}`),
  names.map((name) => `a:${name}/28`),
);
const term = fc.tuple(fc.constantFrom("", "+", "-", "~", "?"), mechanism).map((parts) => parts.join(""));
const end = fc.constantFrom("", "all", "-all", "~all", "redirect=a.example");
const record = fc
  .tuple(fc.array(term, { maxLength: 12 }), end)
  .map(([terms, last]) => ["v=spf1", ...terms, last].filter(Boolean).join(" "));

const dnsOf = (records: Record<string, string>) => {
  let asked = 0;
  return {
    asked: () => asked,
    txt: async (name: string): Promise<Found<string>> => {
      asked++;
      const text = records[name];
      return text === undefined ? { kind: "nothing" } : { kind: "found", values: ["other=1", text] };
    },
  };
};

describe("SPF", () => {
  test("each part of a valid record is read, and none is a fault", () => {
    fc.assert(
      fc.property(record, (text) => {
        const spf = parseSpf(text) as Spf;
        const count = text.split(" ").length - 1;
        expect(spf.faults).toEqual([]);
        expect(spf.terms.length + (spf.redirect === undefined ? 0 : 1)).toBe(count);
      }),
    );
  });

  test.each([
    "include:",
    "include",
    "ip4:300.1.1.1",
    "ip4:192.0.2.0/33",
    "ip6:zz",
    "all:x",
    "al",
    "include:a.example/24",
    "-",
    "ip4",
    "redirect=",
  ])("a part %s is a fault", (part) => expect(parseSpf(`v=spf1 ${part} ~all`)?.faults).toEqual([part]));

  test("a text of any kind is read or is no SPF, and never an error", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseSpf(text);
        parseDkim(text);
        parseDmarc(text);
        expect(parseSpf(`v=spf1 ${text}`)).toBeDefined();
      }),
    );
    expect(parseSpf("v=spf10 -all")).toBeUndefined();
  });

  test("records that include each other, in circles too, take a bounded number of questions", async () => {
    const zone = fc.record({ "a.example": record, "b.example": record, "c.example": record, "_spf.d.example": record });
    await fc.assert(
      fc.asyncProperty(record, zone, async (first, others) => {
        const dns = dnsOf(others);
        const walk = await walkSpf(parseSpf(first) as Spf, dns);
        expect(walk.lookups).toBeLessThanOrEqual(MOST_COUNTED);
        expect(dns.asked()).toBeLessThanOrEqual(walk.lookups);
      }),
    );
  });

  test("the questions of included records count, and what includes no record is named", async () => {
    const dns = dnsOf({
      "a.example": "v=spf1 include:b.example mx -all a",
      "b.example": "v=spf1 a:x.example ip4:192.0.2.1 -all",
    });
    const walk = await walkSpf(parseSpf("v=spf1 mx include:a.example include:none.example ~all") as Spf, dns);
    expect(walk).toEqual({
      lookups: 6,
      includes: ["a.example", "b.example", "none.example"],
      broken: ["none.example"],
      unanswered: [],
    });
  });

  test("an include is added before what the record says about all others", () => {
    expect(withInclude("v=spf1 mx -all", "x.example")).toBe("v=spf1 mx include:x.example -all");
    expect(withInclude("v=spf1 redirect=y.example", "x.example")).toBe("v=spf1 include:x.example redirect=y.example");
    expect(withInclude(undefined, "x.example")).toBe("v=spf1 include:x.example ~all");
    fc.assert(
      fc.property(record, (text) => {
        const before = parseSpf(text) as Spf;
        const after = parseSpf(withInclude(text, "x.example")) as Spf;
        expect(after.terms.filter(({ value }) => value !== "x.example")).toEqual(before.terms);
        expect(after.terms.some(({ value }) => value === "x.example")).toBe(true);
      }),
    );
  });
});

describe("DKIM", () => {
  const pem = (bits: number) =>
    generateKeyPairSync("rsa", { modulusLength: bits })
      .publicKey.export({ type: "spki", format: "der" })
      .toString("base64");

  test("a key's length is read, also where the record has spaces and leaves out v and k", () => {
    const key = pem(1_024);
    expect(parseDkim(`v=DKIM1; k=rsa; p=${key}`)).toEqual({ state: "usable", bits: 1_024, testing: false });
    expect(parseDkim(` p = ${key.slice(0, 60)} ${key.slice(60)} ; t = y:s `)).toEqual({
      state: "usable",
      bits: 1_024,
      testing: true,
    });
    const ed = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" }).subarray(-32);
    expect(parseDkim(`k=ed25519; p=${ed.toString("base64")}`)).toMatchObject({ state: "usable" });
  });

  test("an empty key is revoked, half a key is invalid, and another text is no key", () => {
    expect(parseDkim("v=DKIM1; p=")).toMatchObject({ state: "revoked" });
    expect(parseDkim(`v=DKIM1; p=${pem(1_024).slice(0, 100)}`)).toMatchObject({ state: "invalid" });
    expect(parseDkim(`v=DKIM2; p=${pem(1_024)}`)).toMatchObject({ state: "invalid" });
    expect(parseDkim("v=spf1 -all")).toBeUndefined();
  });
});

describe("DMARC", () => {
  test("each valid policy is read", () => {
    const policy = fc.record({
      p: fc.constantFrom("none", "quarantine", "reject"),
      pct: fc.integer({ min: 0, max: 100 }),
      aspf: fc.constantFrom("r", "s"),
      space: fc.constantFrom("", " ", "  "),
    });
    fc.assert(
      fc.property(policy, ({ p, pct, aspf, space }) => {
        const text = ["v=DMARC1", `p=${p}`, `pct=${pct}`, `aspf=${aspf}`, "rua=mailto:a@b.example,mailto:c@d.example"];
        expect(parseDmarc(text.join(`${space};${space}`))).toEqual({
          policy: p,
          below: p,
          percent: pct,
          reports: ["mailto:a@b.example", "mailto:c@d.example"],
          strictSpf: aspf === "s",
        });
      }),
    );
  });

  test.each([
    ["v=DMARC1; p=blocked", "p=blocked"],
    ["v=DMARC1; rua=mailto:a@b.example", "p="],
    ["v=DMARC1; p=none; pct=200", "pct=200"],
    ["v=DMARC1; p=none; sp=x", "sp=x"],
    ["v=DMARC1; p=none; rua=me@b.example", "rua=me@b.example"],
    ["v=DMARC1; p=none; p=reject", "v=DMARC1; p=none; p=reject"],
  ])("%s has a fault", (text, fault) => expect(parseDmarc(text)).toEqual({ fault }));

  test("domains are related where one is below the other", () => {
    expect(related("mail.acme.example", "acme.example")).toBe(true);
    expect(related("acme.example", "acme.example")).toBe(true);
    expect(related("evilacme.example", "acme.example")).toBe(false);
  });
});
