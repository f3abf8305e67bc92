import type { Run } from "@tidings/contract/campaigns/campaigns";
import type { Passage, RunsQuery } from "@tidings/contract/campaigns/runs";
import type { Journey } from "@tidings/contract/campaigns/journey";
import type { Queries } from "../../platform/db/index.ts";
import { badParameter, notFound } from "../../platform/http/index.ts";
import { decodeId, encodeId } from "../../platform/ids.ts";
import { parseInstant } from "../../platform/time/clock.ts";
import { personKey } from "../../workspaces/index.ts";
import { publishedOf } from "../definition/published.ts";
import { gatheredBy, passagesOf, type RunFilter, runById, type ShownRun } from "./list-store.ts";
import type { CampaignRef, PassageRow } from "../run/run.ts";

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Decodes the id of a run. @throws Problem not_found */
export function runIdOf(text: string): string {
  const id = decodeId("run", text);
  if (!id) throw notFound("run");
  return id;
}

/** Returns the filter of a query. @throws Problem invalid_request for a `state` without a `step` */
export function runFilterOf(
  workspaceId: string,
  { person_id, step, from, to, ...figure }: Omit<RunsQuery, "limit" | "cursor">,
): RunFilter {
  if (figure.state !== undefined && step === undefined)
    throw badParameter("state", "needs step: it says what became of runs at a step");
  return {
    ...figure,
    personKey: person_id === undefined ? undefined : personKey(workspaceId, person_id),
    stepId: step,
    from: from === undefined ? undefined : parseInstant(from),
    to: to === undefined ? undefined : parseInstant(to),
  };
}

/** Returns a run as the API shows it. */
export const runShape = (row: ShownRun): Run => ({
  id: encodeId("run", row.id),
  campaign_id: encodeId("cmp", row.campaign_id),
  person_id: row.person_id,
  status: row.status,
  reason: row.reason,
  step_id: row.step_id,
  data: row.data,
  cancellation_key: row.cancellation_key,
  entered_at: row.entered_at.toISOString(),
  due_at: iso(row.due_on),
  ended_at: iso(row.ended_at),
});

/** Returns one run with its history. @throws Problem not_found */
export async function runWithHistory(
  q: Queries,
  campaign: CampaignRef,
  id: string,
): Promise<Run & { history: Passage[] }> {
  const row = await runById(q, campaign, id);
  if (!row) throw notFound("run");
  const gathered = new Map((await gatheredBy(q, row)).map(({ step_id, count }) => [step_id, { count }]));
  const passages = (await passagesOf(q, row)).map((one) => ({
    ...one,
    detail: one.detail ?? gathered.get(one.step_id) ?? null,
  }));
  const published = await publishedOf(q, campaign.workspaceId, campaign.campaignId, row.graph);
  return { ...runShape(row), history: inOrder(passages, published?.journey).map(passageShape) };
}

/** Sorts passages by time. Steps that were passed at the same moment keep the order of the campaign. */
export function inOrder(passages: PassageRow[], journey: Journey | undefined): PassageRow[] {
  const order = new Map([...(journey?.nodes.keys() ?? [])].map((id, i) => [id, i]));
  const left = ({ left_at }: PassageRow) => left_at?.getTime() ?? Number.POSITIVE_INFINITY;
  const position = ({ step_id }: PassageRow) => order.get(step_id) ?? 0;
  return passages.toSorted(
    (a, b) =>
      a.entered_at.getTime() - b.entered_at.getTime() ||
      // The difference of two passages that both wait would be NaN.
      (left(a) === left(b) ? 0 : left(a) - left(b)) ||
      position(a) - position(b),
  );
}

const passageShape = (row: PassageRow): Passage => ({
  step_id: row.step_id,
  entered_at: row.entered_at.toISOString(),
  left_at: iso(row.left_at),
  state: row.state,
  way: row.way,
  reason: row.reason,
  delivery_id: row.delivery_id && encodeId("dlv", row.delivery_id),
  detail: row.detail,
});
