// Who opened or clicked: a person, or a program that fetches ahead. A program's open says nothing about the reader, so it is
// recorded apart and never counted. What can't be told is taken for a person.

/** A request for a pixel or a link. */
export interface Visit {
  method: string;
  userAgent: string;
  /** Purpose, Sec-Purpose or X-Moz. */
  purpose: string;
  at: Date;
}

export type Machine = "head" | "prefetch" | "agent" | "privacy_proxy" | "too_soon" | "all_at_once";

/** Programs by the name that they give themselves. */
const AGENTS =
  /bot\b|bot[/;]|crawl|spider|scan|preview|prefetch|monitor|headless|phantom|curl|wget|python|java\/|go-http|okhttp|httpclient|libwww|node-fetch|undici|axios|guzzle|proofpoint|mimecast|barracuda|safelinks|symantec|trendmicro|fortinet|ironport|messagelabs|zscaler/i;
/** Image proxies of mail programs. They fetch when a person opens, and some of them also when the message arrives. */
const PROXIES = /GoogleImageProxy|YahooMailProxy|ggpht\.com/i;
/** Sooner after the hand-off nobody has read it. */
const SOONEST_MS = 2_000;
/** A proxy that comes this soon fetches ahead. */
const PROXY_MS = 10_000;
/** Different links within WINDOW_MS that only a scanner follows. */
const MANY_LINKS = 3;
/** Clicks wait this long for others of the same message before they are judged. */
export const WINDOW_MS = 2_000;

/** Why this visit is a machine's, or undefined. @param sentAt when the message was handed over; null while it is being */
export function machineOf(visit: Visit, sentAt: Date | null): Machine | undefined {
  if (visit.method === "HEAD") return "head";
  if (/prefetch|preview/i.test(visit.purpose)) return "prefetch";
  const agent = visit.userAgent.trim();
  // Apple Mail fetches all images through proxies that say only this, read or not.
  if (agent === "Mozilla/5.0") return "privacy_proxy";
  const proxy = PROXIES.test(agent);
  if (agent === "" || (!proxy && AGENTS.test(agent))) return "agent";
  const after = sentAt === null ? 0 : visit.at.getTime() - sentAt.getTime();
  if (after < SOONEST_MS) return "too_soon";
  return proxy && after < PROXY_MS ? "prefetch" : undefined;
}

/** The same for the clicks of one message within one window: who follows many links at once reads none of them. */
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
