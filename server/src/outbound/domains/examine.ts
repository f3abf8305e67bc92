import type { DomainCheck, Finding } from "@tidings/contract/messages/sender-domains";
import { type DkimKey, parseDkim } from "./dkim.ts";
import { type Dmarc, findDmarc, parseDmarc, related } from "./dmarc.ts";
import { checkOf, finding, shownRecords } from "./findings.ts";
import type { Found, Lookups } from "./lookups.ts";
import type { Sender } from "./senders.ts";
import { examineSpf } from "./spf-check.ts";

/** A way by which mail of a domain leaves: the provider, and the domain of MAIL FROM where it is set otherwise than by the provider. */
export interface Way {
  sender: Sender;
  envelope?: string | undefined;
}

export interface Examined {
  domain: string;
  ways: Way[];
  /** DKIM selectors to look at, besides those of the providers. */
  selectors: string[];
}

/** Looks at what a domain publishes for the mail that is sent from it. */
export async function examine({ domain, ways, selectors }: Examined, lookups: Lookups): Promise<DomainCheck[]> {
  const own = ways.filter(({ envelope }) => envelope === undefined || envelope === domain);
  const [spf, dkim, mx] = await Promise.all([
    examineSpf(
      domain,
      own.map(({ sender }) => sender),
      lookups,
    ),
    examineDkim(domain, [...new Set([...selectors, ...ways.flatMap(({ sender }) => sender.selectors)])], lookups),
    examineMx(domain, lookups),
  ]);
  const dmarc = await examineDmarc({ domain, ways, key: dkim.usable, dkimKnown: dkim.known }, lookups);
  return [spf, dkim.check, dmarc, mx];
}

/** Receivers accept nothing shorter (RFC 8301), and providers advise twice that. */
const SHORTEST_BITS = 1_024;
const ADVISED_BITS = 2_048;

const keyFindings = (selector: string, key: DkimKey): Finding[] => {
  if (key.state !== "usable") return [finding(`dkim_${key.state}`, "bad", { selector })];
  const bits = key.bits === undefined ? "Ed25519" : `${key.bits} bits`;
  const short = key.bits !== undefined && key.bits < ADVISED_BITS;
  const verdict = key.bits !== undefined && key.bits < SHORTEST_BITS ? "bad" : "warning";
  return [
    short ? finding("dkim_short", verdict, { selector, bits }) : finding("dkim_found", "good", { selector, bits }),
    ...(key.testing ? [finding("dkim_testing", "warning", { selector })] : []),
  ];
};

/** @returns also the selector of a usable key, and whether all keys are known: a key under another selector can't be found */
async function examineDkim(domain: string, selectors: string[], lookups: Lookups) {
  const base = `_domainkey.${domain}`;
  const asked = selectors.slice(0, 20);
  const found = await Promise.all(
    asked.map(async (selector) => ({ selector, found: await lookups.txt(`${selector}.${base}`) })),
  );
  const keys = found.flatMap(({ selector, found: one }) => {
    const texts = one.kind === "found" ? one.values : [];
    return texts.flatMap((text) => {
      const key = parseDkim(text);
      return key ? [{ selector, text, key }] : [];
    });
  });
  const usable = keys.find(({ key }) => key.state === "usable")?.selector;
  const records = keys.flatMap(({ selector, text }) => shownRecords(`${selector}.${base}`, "TXT", [text]));
  const findings = keys.flatMap(({ selector, key }) => keyFindings(selector, key));
  const silent = found.find(({ found: one }) => one.kind === "unanswered");
  if (silent) findings.push(finding("unanswered", "unknown", { name: `${silent.selector}.${base}` }));
  let known = keys.length > 0;
  if (findings.length === 0) {
    // RFC 8020: where a name does not exist, none below it does.
    known = (await lookups.txt(base)).kind === "nothing";
    if (known) findings.push(finding("dkim_missing", "bad", { domain }));
    else if (asked.length === 0) findings.push(finding("dkim_ask", "unknown"));
    else findings.push(finding("dkim_unknown", "unknown", { selectors: asked.join(", ") }));
  }
  return { usable, known, check: checkOf("dkim", { records, findings }) };
}

interface Aligned {
  domain: string;
  ways: Way[];
  key: string | undefined;
  dkimKnown: boolean;
}

async function examineDmarc(what: Aligned, lookups: Lookups): Promise<DomainCheck> {
  const { domain } = what;
  const { found, at } = await findDmarc(domain, lookups);
  const name = `_dmarc.${at}`;
  if (found.kind === "unanswered") return checkOf("dmarc", { findings: [finding("unanswered", "unknown", { name })] });
  const start = shownRecords(`_dmarc.${domain}`, "TXT", [`v=DMARC1; p=none; rua=mailto:dmarc@${domain}`]);
  if (found.kind !== "found")
    return checkOf("dmarc", { findings: [finding("dmarc_missing", "bad", { domain })], publish: start });
  const records = shownRecords(name, "TXT", found.values);
  if (found.values.length > 1) {
    const several = finding("dmarc_several", "bad", { domain: at, count: String(found.values.length) });
    return checkOf("dmarc", { records, findings: [several] });
  }
  const policy = parseDmarc(found.values[0] as string) as Exclude<ReturnType<typeof parseDmarc>, undefined>;
  if ("fault" in policy)
    return checkOf("dmarc", { records, findings: [finding("dmarc_syntax", "bad", { tag: policy.fault })] });
  return checkOf("dmarc", { records, findings: [...policyFindings(policy, at, domain), ...alignment(what, policy)] });
}

function policyFindings(policy: Dmarc, at: string, domain: string): Finding[] {
  const strength = at === domain ? policy.policy : policy.below;
  return [
    ...(at === domain ? [] : [finding("dmarc_inherited", "good", { domain: at })]),
    finding(`dmarc_${strength}`, strength === "none" ? "warning" : "good"),
    ...(policy.percent < 100 ? [finding("dmarc_part", "warning", { percent: String(policy.percent) })] : []),
    ...(policy.reports.length === 0 ? [finding("dmarc_no_reports", "warning")] : []),
  ];
}

/** DMARC passes where SPF or DKIM passes for the domain in From (RFC 7489 3.1). */
function alignment({ domain, ways, key, dkimKnown }: Aligned, { strictSpf }: Dmarc): Finding[] {
  if (key !== undefined) return [finding("dmarc_aligned_dkim", "good", { selector: key })];
  const bySpf = ({ sender, envelope }: Way) => {
    const from = envelope ?? (sender.envelope === "sender" ? domain : undefined);
    return from !== undefined && (strictSpf ? from === domain : related(from, domain)) ? from : undefined;
  };
  return ways.map((way) => {
    const from = bySpf(way);
    const provider = way.sender.name;
    if (from !== undefined) return finding("dmarc_aligned_spf", "good", { provider, domain: from });
    return finding("dmarc_unaligned", dkimKnown ? "bad" : "unknown", { provider, domain });
  });
}

async function examineMx(domain: string, lookups: Lookups): Promise<DomainCheck> {
  const found: Found<string> = await lookups.mx(domain);
  if (found.kind === "unanswered")
    return checkOf("mx", { findings: [finding("unanswered", "unknown", { name: domain })] });
  if (found.kind !== "found") return checkOf("mx", { findings: [finding("mx_missing", "warning", { domain })] });
  const records = shownRecords(domain, "MX", found.values);
  // RFC 7505: one record whose host is the root.
  const none = found.values.every((value) => /^\d+ \.?$/.test(value));
  return checkOf("mx", {
    records,
    findings: [none ? finding("mx_null", "warning", { domain }) : finding("mx_found", "good")],
  });
}
