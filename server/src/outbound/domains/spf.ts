import { isIPv4, isIPv6 } from "node:net";
import type { Lookups } from "./lookups.ts";

/** A mechanism of an SPF record (RFC 7208 4.6), such as `~all` or `include:example.com`. */
export interface SpfTerm {
  qualifier: "+" | "-" | "~" | "?";
  mechanism: string;
  /** What stands after the colon. */
  value: string | undefined;
}

export interface Spf {
  terms: SpfTerm[];
  redirect: string | undefined;
  /** Terms that are no SPF. One makes the whole record void. */
  faults: string[];
}

const MECHANISMS = new Set(["all", "include", "a", "mx", "ptr", "ip4", "ip6", "exists"]);
/** Each of these asks the DNS when mail arrives (RFC 7208 4.6.4). */
const ASKING = new Set(["include", "a", "mx", "ptr", "exists"]);
const NEEDS_DOMAIN = new Set(["include", "exists"]);
const MODIFIER = /^([a-z][a-z0-9._-]*)=(.*)$/i;
const MECHANISM = /^([+?~-]?)([a-z0-9]+)(?::([^/]*))?((?:\/{1,2}\d{1,3}){0,2})$/i;

/** Reads an SPF record; undefined for a text that is none. */
export function parseSpf(text: string): Spf | undefined {
  if (!/^v=spf1(?: |$)/i.test(text)) return undefined;
  const spf: Spf = { terms: [], redirect: undefined, faults: [] };
  for (const term of text.slice(6).split(" ").filter(Boolean)) {
    const modifier = MODIFIER.exec(term);
    if (modifier) {
      if (modifier[1]?.toLowerCase() !== "redirect") continue;
      if (spf.redirect !== undefined || !modifier[2]) spf.faults.push(term);
      else spf.redirect = modifier[2];
    } else {
      const read = mechanismOf(term);
      if (read) spf.terms.push(read);
      else spf.faults.push(term);
    }
  }
  return spf;
}

function mechanismOf(term: string): SpfTerm | undefined {
  if (/^[+?~-]?ip[46]:/i.test(term)) return networkOf(term);
  const [, sign, name, value, prefix] = MECHANISM.exec(term) ?? [];
  const mechanism = name?.toLowerCase() ?? "";
  if (!MECHANISMS.has(mechanism) || mechanism === "ip4" || mechanism === "ip6") return undefined;
  if (NEEDS_DOMAIN.has(mechanism) ? !value : value === "") return undefined;
  if (mechanism === "all" && value !== undefined) return undefined;
  if (prefix && mechanism !== "a" && mechanism !== "mx") return undefined;
  return { qualifier: (sign || "+") as SpfTerm["qualifier"], mechanism, value };
}

function networkOf(term: string): SpfTerm | undefined {
  const [, sign, version, address = "", length] = /^([+?~-]?)ip([46]):([^/]*)(?:\/(\d{1,3}))?$/i.exec(term) ?? [];
  const valid = version === "4" ? isIPv4(address) : version === "6" && isIPv6(address);
  if (!valid || Number(length ?? 0) > (version === "4" ? 32 : 128)) return undefined;
  const value = length === undefined ? address : `${address}/${length}`;
  return { qualifier: (sign || "+") as SpfTerm["qualifier"], mechanism: `ip${version}`, value };
}

/** Returns the SPF records among the texts of a name. */
export const spfIn = (texts: readonly string[]): string[] => texts.filter((text) => parseSpf(text) !== undefined);

/** Receivers stop after so many questions, and take the record for void (RFC 7208 4.6.4). */
export const MOST_LOOKUPS = 10;
/** Where we stop counting: so many questions are enough to say how far a record is beyond the limit. */
export const MOST_COUNTED = 30;

/** What a receiver meets that follows a record. */
export interface SpfWalk {
  /** Questions that the record costs; at most MOST_COUNTED. */
  lookups: number;
  /** All domains that the record includes, directly or not. */
  includes: string[];
  /** Included domains that have no SPF record, several, or a faulty one. */
  broken: string[];
  unanswered: string[];
}

/** Follows the includes of a record. Circles and long chains end at MOST_COUNTED questions. */
export async function walkSpf(record: Spf, lookups: Pick<Lookups, "txt">): Promise<SpfWalk> {
  const walk: SpfWalk = { lookups: 0, includes: [], broken: [], unanswered: [] };

  async function follow(spf: Spf): Promise<void> {
    const hasAll = spf.terms.some(({ mechanism }) => mechanism === "all");
    for (const { mechanism, value } of spf.terms) {
      // Nothing after `all` is read.
      if (mechanism === "all") break;
      if (!ASKING.has(mechanism) || walk.lookups >= MOST_COUNTED) continue;
      walk.lookups++;
      if (mechanism === "include") await enter(value as string);
    }
    if (spf.redirect === undefined || hasAll || walk.lookups >= MOST_COUNTED) return;
    walk.lookups++;
    await enter(spf.redirect);
  }

  async function enter(target: string): Promise<void> {
    // A macro depends on the mail.
    if (target.includes("%")) return;
    const domain = target.toLowerCase().replace(/\.$/, "");
    walk.includes.push(domain);
    const found = await lookups.txt(domain);
    if (found.kind === "unanswered") return void walk.unanswered.push(domain);
    const records = found.kind === "found" ? spfIn(found.values) : [];
    const spf = records.length === 1 ? parseSpf(records[0] as string) : undefined;
    if (!spf || spf.faults.length > 0) walk.broken.push(domain);
    if (spf) await follow(spf);
  }

  await follow(record);
  return walk;
}

/** Returns the record with one more include: before what it says about all others. */
export function withInclude(record: string | undefined, include: string): string {
  if (record === undefined) return `v=spf1 include:${include} ~all`;
  const terms = record.trim().split(/ +/);
  const at = terms.findIndex((term) => /^(?:[+?~-]?all|redirect=.*)$/i.test(term));
  return terms.toSpliced(at < 0 ? terms.length : at, 0, `include:${include}`).join(" ");
}
