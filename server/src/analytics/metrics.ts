import type { Channel, Metrics } from "@tidings/contract/facts/activity";
import { countRows, countRowsByVariant, type Which } from "../activity/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { groups, METRICS, type Scope, totals } from "./counts-store.ts";

const ALWAYS = { from: null, to: null };
const always = ({ since, until }: Which) => since === null && until === null;
const scopeOf = (workspaceId: string, sourceId: string, { channel }: Which): Scope => ({
  workspaceId,
  channel,
  sourceId,
});

/**
 * What became of the deliveries of one source (a transactional, a broadcast, a campaign), to the unit as GET /deliveries lists them.
 * Of those that were queued within a time the rows themselves are counted: sums know when something happened, not to which.
 */
export const metricsOf = (q: Queries, workspaceId: string, sourceId: string, which: Which): Promise<Metrics> =>
  always(which) ? totals(q, scopeOf(workspaceId, sourceId, which), ALWAYS) : countRows(q, workspaceId, sourceId, which);

export const NOTHING = Object.fromEntries(METRICS.map((name) => [name, 0])) as Metrics;

/** The same by variant, each name among `names` if only with zeros, in one statement with the total: the parts always make the whole. */
export async function metricsByVariant(
  q: Queries,
  workspaceId: string,
  sourceId: string,
  which: Which,
  names: string[],
): Promise<Metrics & { variants: Record<string, Metrics> }> {
  const rows = always(which)
    ? await groups(q, scopeOf(workspaceId, sourceId, which), ALWAYS, "variant")
    : await countRowsByVariant(q, workspaceId, sourceId, which);
  const found = new Map(rows.map(({ variant = null, ...numbers }) => [variant, numbers]));
  return {
    ...rows.map(({ variant: _variant, ...numbers }) => numbers).reduce(plus, NOTHING),
    variants: Object.fromEntries(names.map((name) => [name, found.get(name) ?? NOTHING])),
  };
}

export const plus = (a: Metrics, b: Metrics): Metrics =>
  Object.fromEntries(METRICS.map((name) => [name, a[name] + b[name]])) as Metrics;

/** What became of the deliveries of one source, in all and by channel, in one statement: the parts always make the whole. */
export async function metricsByChannel(
  q: Queries,
  workspaceId: string,
  sourceId: string,
  channel: Channel | undefined,
): Promise<{ totals: Metrics; channels: Partial<Record<Channel, Metrics>> }> {
  const rows = await groups(q, { workspaceId, sourceId, channel }, ALWAYS, "channel");
  const parts = rows.map(({ channel: one, ...numbers }): [string, Metrics] => [String(one), numbers]);
  return { totals: parts.map(([, numbers]) => numbers).reduce(plus, NOTHING), channels: Object.fromEntries(parts) };
}
