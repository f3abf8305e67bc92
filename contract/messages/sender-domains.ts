import { type Static, Type } from "typebox";
import { Dictionary, Instant, Line, ListOf, OneOf } from "../primitives.ts";

// What the DNS says about a domain that a workspace sends email from.

const DnsRecord = Type.Object({
  name: Type.String(),
  type: OneOf(["TXT", "MX"]),
  value: Type.String(),
});
export type DnsRecord = Static<typeof DnsRecord>;

/** What a check can find. The message of each is in `server/src/outbound/domains/findings.ts`. */
export const findingCodes = [
  "unanswered",
  "spf_missing",
  "spf_several",
  "spf_syntax",
  "spf_lookups_many",
  "spf_lookups",
  "spf_include_present",
  "spf_include_missing",
  "spf_include_broken",
  "spf_own_envelope",
  "spf_own_server",
  "spf_ptr",
  "spf_all_hard",
  "spf_all_soft",
  "spf_all_neutral",
  "spf_all_pass",
  "spf_all_none",
  "dkim_found",
  "dkim_short",
  "dkim_revoked",
  "dkim_testing",
  "dkim_invalid",
  "dkim_missing",
  "dkim_unknown",
  "dkim_ask",
  "dmarc_missing",
  "dmarc_several",
  "dmarc_syntax",
  "dmarc_inherited",
  "dmarc_none",
  "dmarc_quarantine",
  "dmarc_reject",
  "dmarc_part",
  "dmarc_no_reports",
  "dmarc_aligned_spf",
  "dmarc_aligned_dkim",
  "dmarc_unaligned",
  "mx_found",
  "mx_missing",
  "mx_null",
] as const;
export type FindingCode = (typeof findingCodes)[number];

const DomainVerdict = OneOf(["good", "warning", "bad", "unknown"], { description: "The worst of its findings." });
export type DomainVerdict = Static<typeof DomainVerdict>;

const Finding = Type.Object({
  code: OneOf([...findingCodes]),
  verdict: DomainVerdict,
  message: Type.String(),
  values: Dictionary(Type.String(), { description: "The values in the message." }),
});
export type Finding = Static<typeof Finding>;

const DomainCheck = Type.Object({
  what: OneOf(["spf", "dkim", "dmarc", "mx"]),
  verdict: DomainVerdict,
  records: Type.Array(DnsRecord, { description: "What is published now." }),
  findings: Type.Array(Finding),
  publish: Type.Array(DnsRecord, { description: "What to publish, instead of a record of the same kind." }),
});
export type DomainCheck = Static<typeof DomainCheck>;

export const SenderDomainReport = Type.Object({
  domain: Type.String(),
  checked_at: Instant,
  verdict: DomainVerdict,
  checks: Type.Array(DomainCheck),
});
export type SenderDomainReport = Static<typeof SenderDomainReport>;

export const SenderDomainQuery = Type.Object({
  selector: Type.Optional(
    Line(63, {
      minLength: 1,
      pattern: "^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$",
      "x-says": "must be a DKIM selector, such as s1",
      description: "A DKIM selector to look at, besides those that the workspace's providers usually use.",
    }),
  ),
});

/** All of them: a workspace has few, so there is never a next page. */
export const SenderDomains = ListOf(
  Type.Object({
    domain: Type.String(),
    used_by: Type.Array(OneOf(["default_sender", "bounce_mailbox", "provider"])),
  }),
);
