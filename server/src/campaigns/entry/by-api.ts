import type { RunInput } from "@tidings/contract/campaigns/campaigns";
import { findPeople } from "../../people/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { badField, notFound, Problem } from "../../platform/http/index.ts";
import { newId } from "../../platform/ids.ts";
import { publishedOf } from "../definition/published.ts";
import { byId } from "../definition/store.ts";
import { endKeyed } from "../run/end-store.ts";
import type { CampaignRef } from "../run/run.ts";
import { enter } from "./enter.ts";

/** The most bytes of `data`: as many as an event's properties have. */
const MOST_DATA_BYTES = 32 * 1024;

/**
 * Starts a run of an active campaign for one person, with any trigger. Returns the run's id.
 * @throws Problem not_found, wrong_status, person_not_found, already_entered
 */
export async function startRun(
  tx: Tx,
  { workspaceId, campaignId }: CampaignRef,
  { person_id, data = {}, cancellation_key }: RunInput,
  now: Date,
): Promise<string> {
  if (Buffer.byteLength(JSON.stringify(data)) > MOST_DATA_BYTES) throw badField("/data", "must be 32 KiB at most");
  const graph = await openGraph(tx, workspaceId, campaignId);
  const [person] = await findPeople(tx, [{ workspaceId, id: person_id }]);
  if (!person)
    throw new Problem(
      "person_not_found",
      "This workspace knows no person with this person_id. Identify the person first.",
    );
  const published = await publishedOf(tx, workspaceId, campaignId, graph);
  if (!published) throw notFound("campaign");
  const cause = `api ${newId()}`;
  const candidate = { published, personKey: person.person_key, cause, data, cancellationKey: cancellation_key };
  const [began] = await enter(tx, [candidate], now);
  if (began !== undefined) return began;
  // It may have been paused since.
  await openGraph(tx, workspaceId, campaignId);
  throw new Problem(
    "already_entered",
    "The person has entered this campaign before, and its `reentry` does not let them in again now.",
  );
}

/** Returns the published graph of a campaign that lets people in. @throws Problem not_found, wrong_status */
async function openGraph(tx: Tx, workspaceId: string, campaignId: string): Promise<number> {
  const row = await byId(tx, workspaceId, campaignId);
  if (!row) throw notFound("campaign");
  if (row.status !== "active" || row.graph === null)
    throw new Problem("wrong_status", `A campaign that is ${row.status} lets nobody in: it must be active.`, {
      extra: { current: row.status },
    });
  return row.graph;
}

/** Ends the active runs of a campaign that have a key, also while it is paused. Returns their number. @throws Problem not_found */
export async function cancelRuns(
  tx: Tx,
  { workspaceId, campaignId, key }: { workspaceId: string; campaignId: string; key: string },
  now: Date,
): Promise<number> {
  if (!(await byId(tx, workspaceId, campaignId))) throw notFound("campaign");
  return endKeyed(tx, { workspaceId, campaignId, key }, { status: "canceled", reason: "cancellation_key" }, now);
}
