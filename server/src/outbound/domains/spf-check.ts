import type { DnsRecord, DomainCheck, Finding } from "@tidings/contract/messages/sender-domains";
import { checkOf, finding, shownRecords } from "./findings.ts";
import type { Lookups } from "./lookups.ts";
import type { Sender } from "./senders.ts";
import { MOST_LOOKUPS, parseSpf, type Spf, type SpfWalk, spfIn, walkSpf, withInclude } from "./spf.ts";

/** Looks at the SPF record of a domain, for the services that send with an envelope of it. */
export async function examineSpf(domain: string, senders: Sender[], lookups: Lookups): Promise<DomainCheck> {
  const found = await lookups.txt(domain);
  if (found.kind === "unanswered")
    return checkOf("spf", { findings: [finding("unanswered", "unknown", { name: domain })] });
  const texts = found.kind === "found" ? spfIn(found.values) : [];
  const records = shownRecords(domain, "TXT", texts);
  if (texts.length > 1) {
    const several = finding("spf_several", "bad", { domain, count: String(texts.length) });
    return checkOf("spf", {
      records,
      findings: [several],
      publish: advised({ domain, now: undefined, base: joined(texts), senders, includes: [] }),
    });
  }
  const spf = texts[0] === undefined ? undefined : parseSpf(texts[0]);
  if (!spf) {
    // Where the envelope is the service's own, receivers look at another domain.
    const counts = senders.some(({ envelope }) => envelope === "sender");
    const missing = finding("spf_missing", counts ? "bad" : "warning", { domain });
    const findings = [missing, ...senders.flatMap((sender) => ofSender(sender, []))];
    return checkOf("spf", {
      findings,
      publish: advised({ domain, now: undefined, base: undefined, senders, includes: [] }),
    });
  }
  const walk = await walkSpf(spf, lookups);
  const findings = [
    ...spf.faults.slice(0, 5).map((term) => finding("spf_syntax", "bad", { term: term.slice(0, 100) })),
    ...senders.flatMap((sender) => ofSender(sender, walk.includes)),
    ...walkFindings(walk),
    ...(spf.terms.some(({ mechanism }) => mechanism === "ptr") ? [finding("spf_ptr", "warning")] : []),
    ...endOf(spf),
  ];
  return checkOf("spf", {
    records,
    findings,
    publish: advised({ domain, now: texts[0], base: texts[0], senders, includes: walk.includes }),
  });
}

function ofSender({ name, include, envelope }: Sender, includes: string[]): Finding[] {
  const provider = name;
  if (include !== undefined && includes.includes(include))
    return [finding("spf_include_present", "good", { include, provider })];
  if (envelope === "own") return [finding("spf_own_envelope", "good", { provider })];
  return include === undefined
    ? [finding("spf_own_server", "unknown", { provider })]
    : [finding("spf_include_missing", "bad", { include, provider })];
}

function walkFindings({ lookups, broken, unanswered }: SpfWalk): Finding[] {
  const count = String(lookups);
  return [
    lookups > MOST_LOOKUPS ? finding("spf_lookups_many", "bad", { count }) : finding("spf_lookups", "good", { count }),
    ...[...new Set(broken)].slice(0, 5).map((domain) => finding("spf_include_broken", "bad", { domain })),
    ...[...new Set(unanswered)].slice(0, 5).map((name) => finding("unanswered", "unknown", { name })),
  ];
}

function endOf({ terms, redirect }: Spf): Finding[] {
  const all = terms.find(({ mechanism }) => mechanism === "all");
  // With a redirect, the other record's end counts.
  if (!all) return redirect === undefined ? [finding("spf_all_none", "warning")] : [];
  if (all.qualifier === "-") return [finding("spf_all_hard", "good")];
  if (all.qualifier === "~") return [finding("spf_all_soft", "good")];
  return [all.qualifier === "?" ? finding("spf_all_neutral", "warning") : finding("spf_all_pass", "bad")];
}

interface Advice {
  domain: string;
  /** What is published. */
  now: string | undefined;
  /** What to begin with: the record that is published, or several joined into one. */
  base: string | undefined;
  senders: Sender[];
  /** What the record includes already. */
  includes: string[];
}

/** Returns the record to publish instead; none where the one that is there has all that the services need. */
function advised({ domain, now, base, senders, includes }: Advice): DnsRecord[] {
  const ours = senders.filter(({ envelope }) => envelope === "sender");
  const lacking = ours.flatMap(({ include }) => (include && !includes.includes(include) ? [include] : []));
  const start =
    base?.replace(/ [+]?all$/i, " ~all") ?? (lacking.length === 0 && ours.length > 0 ? OWN_SERVER : undefined);
  const next = lacking.reduce<string | undefined>(
    (text, include) => (text?.split(" ").includes(`include:${include}`) ? text : withInclude(text, include)),
    start,
  );
  return next === undefined || next === now ? [] : shownRecords(domain, "TXT", [next]);
}

/** Allows the servers that take the domain's mail to send it, too. */
const OWN_SERVER = "v=spf1 mx ~all";

/** One record with the terms of all; the strictest `all` last. */
function joined(records: string[]): string {
  const terms = records.flatMap((record) => record.trim().split(/ +/).slice(1));
  const others = terms.filter((term) => !/^[+?~-]?all$/i.test(term));
  const end = terms.some((term) => /^-all$/i.test(term)) ? "-all" : "~all";
  return ["v=spf1", ...new Set(others), end].join(" ");
}
