// Decides whether a person opened or clicked, or a program that fetches ahead. A program's open shows nothing about the reader,
// so it is recorded with this mark and never counted. Where it can't be known, the visit counts as a person's.

/** One request for a pixel or a link. */
export interface Visit {
  method: string;
  userAgent: string;
  /** Purpose, Sec-Purpose or X-Moz. */
  purpose: string;
  at: Date;
}

export type Machine = "head" | "prefetch" | "agent" | "privacy_proxy" | "too_soon" | "all_at_once";

/** Programs, by their own user agent. */
const AGENTS =
  /bot\b|bot[/;]|crawl|spider|scan|preview|prefetch|monitor|headless|phantom|curl|wget|python|java\/|go-http|okhttp|httpclient|libwww|node-fetch|undici|axios|guzzle|proofpoint|mimecast|barracuda|safelinks|symantec|trendmicro|fortinet|ironport|messagelabs|zscaler/i;
/** Image proxies of mail programs. They fetch when a person opens, and some of them also when the message arrives. */
const PROXIES = /GoogleImageProxy|YahooMailProxy|ggpht\.com/i;
/** A visit within this time after the hand-off is no person's: nobody has read the message yet. */
const SOONEST_MS = 2_000;
/** A proxy's visit within this time after the hand-off is a fetch ahead. */
const PROXY_MS = 10_000;
/** This many different links within WINDOW_MS are visited by a scanner only. */
const MANY_LINKS = 3;
/** How long a click waits for others of the same message before it is decided whose it is. */
export const WINDOW_MS = 2_000;

/** Returns why a visit is a machine's; undefined for a person's. @param sentAt end of the hand-off; null while it is under way */
export function machineOf(visit: Visit, sentAt: Date | null): Machine | undefined {
  if (visit.method === "HEAD") return "head";
  if (/prefetch|preview/i.test(visit.purpose)) return "prefetch";
  const agent = visit.userAgent.trim();
  // Apple Mail fetches all images through proxies with only this user agent, whether the message is read or not.
  if (agent === "Mozilla/5.0") return "privacy_proxy";
  const proxy = PROXIES.test(agent);
  if (agent === "" || (!proxy && AGENTS.test(agent))) return "agent";
  const after = sentAt === null ? 0 : visit.at.getTime() - sentAt.getTime();
  if (after < SOONEST_MS) return "too_soon";
  return proxy && after < PROXY_MS ? "prefetch" : undefined;
}

/** Does the same for the clicks of one message within one window, because a visitor of many links at once reads none of them. */
export function machinesOf<V extends Visit & { target: string }>(
  visits: V[],
  sentAt: Date | null,
): { visit: V; machine: Machine | undefined }[] {
  const together = new Set(visits.map(({ target }) => target)).size >= MANY_LINKS;
  return visits.map((visit) => ({
    visit,
    machine: machineOf(visit, sentAt) ?? (together ? "all_at_once" : undefined),
  }));
}
