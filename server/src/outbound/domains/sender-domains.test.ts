import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { dnsServer } from "../../../test/support/network/dns.ts";
import { testService } from "../../../test/support/service.ts";

// GET /api/v1/sender-domains: what a real name server says about a domain, and what that means for the workspace's providers.

const it = await testService();
const dns = await dnsServer();
const key2048 = generateKeyPairSync("rsa", { modulusLength: 2_048 })
  .publicKey.export({ type: "spki", format: "der" })
  .toString("base64");

/** A workspace that sends from a domain through these providers. */
async function sendingFrom(domain: string, providers: object[]) {
  const { secretKey: key } = await it.another();
  await it.call("PATCH", "/api/v1/workspace", { key, body: { sender_defaults: { email_from: `A <a@${domain}>` } } });
  for (const one of providers) {
    const made = await it.call("POST", "/api/v1/providers", { key, body: { name: "P", channel: "email", ...one } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  return key;
}

interface Check {
  what: string;
  verdict: string;
  findings: { code: string; verdict: string; message: string }[];
  publish: object[];
}
async function checked(key: string, domain: string, query = "") {
  const { status, body } = await it.call("GET", `/api/v1/sender-domains/${domain}${query}`, { key });
  expect(status, JSON.stringify(body)).toBe(200);
  const of = (what: string) => body.checks.find((one: Check) => one.what === what) as Check;
  const codes = (what: string) => of(what).findings.map(({ code }) => code);
  return { body, of, codes };
}

const MAILGUN = {
  kind: "mailgun",
  settings: { domain: "mg.good.example" },
  credentials: { api_key: "key-1234567890" },
};

test("a domain that has everything is good, with each record that was found", async () => {
  dns.zones.set("good.example", { txt: ["v=spf1 include:_spf.google.com ~all", "x=1"], mx: ["10 mx.good.example"] });
  dns.zones.set("_spf.google.com", { txt: ["v=spf1 ip4:192.0.2.0/24 -all"] });
  dns.zones.set("google._domainkey.good.example", { txt: [`v=DKIM1; k=rsa; p=${key2048}`] });
  dns.zones.set("_dmarc.good.example", { txt: ["v=DMARC1; p=reject; rua=mailto:d@good.example"] });
  const key = await sendingFrom("good.example", [{ kind: "smtp", settings: { host: "smtp.gmail.com" } }]);
  const { body, codes, of } = await checked(key, "good.example");
  expect(body.verdict, JSON.stringify(body.checks)).toBe("good");
  expect(codes("spf")).toEqual(["spf_include_present", "spf_lookups", "spf_all_soft"]);
  expect(codes("dkim")).toEqual(["dkim_found"]);
  expect(codes("dmarc")).toEqual(["dmarc_reject", "dmarc_aligned_dkim"]);
  expect(codes("mx")).toEqual(["mx_found"]);
  expect(of("spf")).toMatchObject({ records: [{ value: "v=spf1 include:_spf.google.com ~all" }], publish: [] });
  expect(of("dkim").findings[0]?.message).toBe("The key google is published (2048 bits).");
});

test("a domain that has nothing is told what to publish", async () => {
  dns.zones.set("bare.example", { txt: ["hello"] });
  const key = await sendingFrom("bare.example", [{ kind: "smtp", settings: { host: "smtp.office365.com" } }]);
  const { body, codes, of } = await checked(key, "bare.example");
  expect(body.verdict).toBe("bad");
  expect(codes("spf")).toEqual(["spf_missing", "spf_include_missing"]);
  expect(of("spf").publish).toEqual([
    { name: "bare.example", type: "TXT", value: "v=spf1 include:spf.protection.outlook.com ~all" },
  ]);
  expect(codes("dkim")).toEqual(["dkim_missing"]);
  expect(of("dmarc").publish).toEqual([
    { name: "_dmarc.bare.example", type: "TXT", value: "v=DMARC1; p=none; rua=mailto:dmarc@bare.example" },
  ]);
  expect(codes("mx")).toEqual(["mx_missing"]);
});

test("faults are named: several records, an include that is missing, too many questions, a weak end, a policy that watches only", async () => {
  const many = Array.from({ length: 11 }, (_, i) => `a:h${i}.example`).join(" ");
  dns.zones.set("weak.example", { txt: [`v=spf1 ${many} +all`], mx: ["0 ."] });
  dns.zones.set("key1._domainkey.weak.example", { txt: ["v=DKIM1; p="] });
  dns.zones.set("_dmarc.weak.example", { txt: ["v=DMARC1; p=none; pct=50"] });
  const key = await sendingFrom("weak.example", [{ kind: "smtp", settings: { host: "smtp.gmail.com" } }]);
  const first = await checked(key, "weak.example");
  expect(first.codes("spf")).toEqual(["spf_include_missing", "spf_lookups_many", "spf_all_pass"]);
  expect(first.of("spf").publish).toEqual([
    { name: "weak.example", type: "TXT", value: `v=spf1 ${many} include:_spf.google.com ~all` },
  ]);
  expect(first.codes("dkim")).toEqual(["dkim_unknown"]);
  expect(first.codes("dmarc")).toEqual(["dmarc_none", "dmarc_part", "dmarc_no_reports", "dmarc_aligned_spf"]);
  expect(first.codes("mx")).toEqual(["mx_null"]);
  expect((await checked(key, "weak.example", "?selector=KEY1")).codes("dkim")).toEqual(["dkim_revoked"]);
  dns.zones.set("weak.example", { txt: ["v=spf1 mx -all", "v=spf1 a ~all"] });
  const second = await checked(key, "weak.example");
  expect(second.codes("spf")).toEqual(["spf_several"]);
  expect(second.of("spf").publish).toEqual([
    { name: "weak.example", type: "TXT", value: "v=spf1 mx a include:_spf.google.com -all" },
  ]);
});

test("a policy of the domain above holds below it, and a provider's own envelope needs DKIM", async () => {
  dns.zones.set("mail.above.example", { mx: ["10 mx.above.example"], txt: ["v=spf1 ~all"] });
  dns.zones.set("_dmarc.above.example", { txt: ["v=DMARC1; p=reject; sp=quarantine; rua=mailto:d@above.example"] });
  const credentials = { server_token: "00000000-0000-0000-0000-000000000000" };
  const key = await sendingFrom("mail.above.example", [{ kind: "postmark", settings: {}, credentials }]);
  const { codes } = await checked(key, "mail.above.example");
  expect(codes("spf")).toEqual(["spf_own_envelope", "spf_lookups", "spf_all_soft"]);
  expect(codes("dmarc")).toEqual(["dmarc_inherited", "dmarc_quarantine", "dmarc_unaligned"]);
});

test("a question that the name server fails to answer is said, and nothing is guessed", async () => {
  dns.faulty.add("silent.example");
  dns.zones.set("_dmarc.silent.example", { txt: ["v=DMARC1; p=reject; rua=mailto:d@silent.example"] });
  const key = await sendingFrom("silent.example", []);
  const { codes } = await checked(key, "silent.example");
  expect([codes("spf"), codes("mx")]).toEqual([["unanswered"], ["unanswered"]]);
  expect(codes("dmarc")).toEqual(["dmarc_reject"]);
});

test("only the domains of the workspace are looked up", async () => {
  const key = await sendingFrom("good.example", [MAILGUN]);
  const list = await it.call("GET", "/api/v1/sender-domains", { key });
  expect(list.body.data).toEqual([
    { domain: "good.example", used_by: ["default_sender"] },
    { domain: "mg.good.example", used_by: ["provider"] },
  ]);
  const before = dns.asked.length;
  for (const domain of ["bare.example", "localhost", "192.0.2.1", "%00", "a".repeat(253)])
    expect((await it.call("GET", `/api/v1/sender-domains/${domain}`, { key })).status).toBe(404);
  expect((await it.call("GET", "/api/v1/sender-domains/good.example?selector=a..%20b", { key })).status).toBe(400);
  expect(dns.asked.length).toBe(before);
});
