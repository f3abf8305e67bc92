import type {
  DnsRecord,
  DomainCheck,
  Finding,
  FindingCode,
  DomainVerdict,
} from "@tidings/contract/messages/sender-domains";

/** What each finding says. `{name}` stands for a value. */
const MESSAGES: Record<FindingCode, string> = {
  unanswered: "The DNS did not answer for {name}. Check again later.",
  spf_missing: "{domain} has no SPF record: receivers can't tell which servers may send for it.",
  spf_several: "{domain} has {count} SPF records. Receivers then use none of them: join them into one.",
  spf_syntax: "The record has a part that is no SPF, so receivers use none of it: {term}",
  spf_lookups_many:
    "The record takes {count} DNS questions, and receivers stop after 10: remove includes that send no mail any more.",
  spf_lookups: "The record takes {count} of at most 10 DNS questions.",
  spf_include_present: "The record includes {include}, so {provider} may send.",
  spf_include_missing: "The record does not include {include}: {provider} may not send for this domain.",
  spf_include_broken: "The record includes {domain}, which has no valid SPF record. Receivers then use none of it.",
  spf_own_envelope: "{provider} uses an envelope of its own, whose SPF record its set-up page shows. Here DKIM counts.",
  spf_own_server: "Make sure that the record covers the address from which {provider} sends: by ip4, a or mx.",
  spf_ptr: "The record uses ptr, which is slow and which many receivers ignore: replace it by ip4, a or include.",
  spf_all_hard: "It ends in -all: mail from other servers is refused.",
  spf_all_soft: "It ends in ~all: mail from other servers is suspect. With DMARC that is enough.",
  spf_all_neutral: "It ends in ?all, which says nothing about other servers: use ~all or -all.",
  spf_all_pass: "It ends in +all: everybody may send for this domain. Use ~all or -all.",
  spf_all_none: "It does not end in ~all or -all, so it says nothing about other servers.",
  dkim_found: "The key {selector} is published ({bits}).",
  dkim_short:
    "The key {selector} has {bits}. Receivers refuse less than 1,024 bits, and 2,048 are advised: make a new one.",
  dkim_revoked: "The key {selector} is empty, which means that it is revoked: what it signs fails.",
  dkim_testing: "The key {selector} says t=y: receivers treat its mail as unsigned. Remove that.",
  dkim_invalid: "The record of {selector} is no valid key. Was a part of it lost when it was pasted?",
  dkim_missing:
    "{domain} publishes no DKIM key at all: mail from it is unsigned. Your provider shows the records to publish.",
  dkim_unknown: "There is no key under {selectors}. Enter the selector that your provider shows.",
  dkim_ask: "Your provider's keys have names of their own: enter the selector that it shows, to look at that key.",
  dmarc_missing: "{domain} has no DMARC policy. Gmail and Yahoo ask one of everybody who sends to many.",
  dmarc_several: "{domain} has {count} DMARC records. Receivers then use none of them.",
  dmarc_syntax: "The policy has a fault, so receivers may ignore it: {tag}",
  dmarc_inherited: "The policy is that of {domain}.",
  dmarc_none:
    "p=none only watches: forged mail still arrives. Once the reports show only your own mail, use quarantine, then reject.",
  dmarc_quarantine: "p=quarantine: forged mail goes to spam.",
  dmarc_reject: "p=reject: forged mail is refused.",
  dmarc_part: "pct={percent}: the policy holds for a part of the mail only.",
  dmarc_no_reports: "There is no rua: nobody gets the reports that show who sends for this domain.",
  dmarc_aligned_spf: "Mail of {provider} has an envelope of {domain} and can pass by SPF.",
  dmarc_aligned_dkim: "Mail that is signed with the key {selector} passes by DKIM.",
  dmarc_unaligned: "Mail of {provider} passes DMARC only if it is signed by DKIM for {domain}, and no key was found.",
  mx_found: "Replies and bounces can arrive.",
  mx_missing: "{domain} has no MX record: replies don't arrive, and some receivers refuse mail from it.",
  mx_null: "{domain} says that it takes no mail. Replies don't arrive.",
};

export function finding(code: FindingCode, verdict: DomainVerdict, values: Record<string, string> = {}): Finding {
  const message = MESSAGES[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
  return { code, verdict, message, values };
}

/** From the best to the worst. What is not known is worse than a warning, because it may be anything. */
const ORDER: DomainVerdict[] = ["good", "unknown", "warning", "bad"];

export const worst = (verdicts: DomainVerdict[]): DomainVerdict =>
  ORDER[Math.max(0, ...verdicts.map((one) => ORDER.indexOf(one)))] as DomainVerdict;

interface CheckParts {
  records?: DnsRecord[];
  findings: Finding[];
  publish?: DnsRecord[];
}

export const checkOf = (
  what: DomainCheck["what"],
  { records = [], findings, publish = [] }: CheckParts,
): DomainCheck => ({
  what,
  verdict: worst(findings.map(({ verdict }) => verdict)),
  records,
  findings,
  publish,
});

/** Returns the records of one name, at most 1,000 characters of each. */
export const shownRecords = (name: string, type: DnsRecord["type"], values: readonly string[]): DnsRecord[] =>
  values.slice(0, 10).map((value) => ({ name, type, value: value.slice(0, 1_000) }));
