import type { Found, Lookups } from "./lookups.ts";
import { tagsOf } from "./tags.ts";

const POLICIES = ["none", "quarantine", "reject"] as const;
type Policy = (typeof POLICIES)[number];

/** A policy for mail that is neither aligned by SPF nor by DKIM (RFC 7489 6.3). */
export interface Dmarc {
  policy: Policy;
  /** For mail of domains below this one. */
  below: Policy;
  /** How many percent of such mail it is for. */
  percent: number;
  reports: string[];
  strictSpf: boolean;
}

/** Reads a DMARC record: undefined for a text that is none, or the tag that is wrong. */
export function parseDmarc(text: string): Dmarc | { fault: string } | undefined {
  if (!/^v\s*=\s*DMARC1\s*(?:;|$)/i.test(text)) return undefined;
  const tags = tagsOf(text);
  if (!tags) return { fault: text.slice(0, 100) };
  const policy = policyOf(tags.get("p"));
  const reports = (tags.get("rua") ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  // Without a valid policy receivers act as for `none`, but only if there is a place for reports (RFC 7489 6.6.3).
  if (!policy) return { fault: `p=${tags.get("p") ?? ""}` };
  const below = tags.has("sp") ? policyOf(tags.get("sp")) : policy;
  if (!below) return { fault: `sp=${tags.get("sp")}` };
  const percent = Number(tags.get("pct") ?? 100);
  if (!Number.isInteger(percent) || percent < 0 || percent > 100) return { fault: `pct=${tags.get("pct")}` };
  const wrong = reports.find((one) => !/^(?:mailto:[^\s@]+@[^\s@]+|https?:\S+)$/i.test(one));
  if (wrong !== undefined) return { fault: `rua=${wrong}` };
  for (const name of ["adkim", "aspf"])
    if (!/^[rs]?$/i.test(tags.get(name) ?? "")) return { fault: `${name}=${tags.get(name)}` };
  return { policy, below, percent, reports, strictSpf: tags.get("aspf")?.toLowerCase() === "s" };
}

const policyOf = (text: string | undefined): Policy | undefined =>
  POLICIES.find((one) => one === text?.trim().toLowerCase());

/** The most parents that are asked for a policy. */
const MOST_PARENTS = 4;

/** What a domain's receivers find: its own records, or those of the nearest parent that has one. */
export interface FoundDmarc {
  found: Found<string>;
  /** The domain whose records they are. */
  at: string;
}

/** Asks for the policy of a domain, then of its parents. There is no list of public suffixes: they publish no policy for others. */
export async function findDmarc(domain: string, lookups: Pick<Lookups, "txt">): Promise<FoundDmarc> {
  const labels = domain.split(".");
  let own: Found<string> | undefined;
  for (let i = 0; i <= Math.min(labels.length - 2, MOST_PARENTS); i++) {
    const at = labels.slice(i).join(".");
    const found = await lookups.txt(`_dmarc.${at}`);
    own ??= found;
    if (found.kind === "unanswered") return { found, at };
    const values = found.kind === "found" ? found.values.filter((text) => parseDmarc(text) !== undefined) : [];
    if (values.length > 0) return { found: { kind: "found", values }, at };
  }
  return { found: own?.kind === "unanswered" ? own : { kind: "none" }, at: domain };
}

/** Whether one of two domains is the other or below it, which is what relaxed alignment comes to for a sender's own domains. */
export const related = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
