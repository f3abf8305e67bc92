import type { CampaignDefinition, CampaignInput, CampaignPatch } from "@tidings/contract/campaigns/campaigns";
import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { Channel } from "@tidings/contract/facts/activity";
import { assertAllowed } from "../../inapp/index.ts";
import type { Queries, Tx } from "../../platform/db/index.ts";
import { notFound } from "../../platform/http/index.ts";
import { newId } from "../../platform/ids.ts";
import { workspaceById } from "../../workspaces/index.ts";
import { messagesOf } from "../rules/escalation.ts";
import { nextStatus } from "../rules/status.ts";
import { readDefinition } from "./read.ts";
import { type CampaignRow, insert, lockById, writeDraft } from "./store.ts";

/** Creates a draft. @throws Problem in_app_disabled, invalid_request with a pointer to the step that is wrong */
export async function create(tx: Tx, workspaceId: string, input: CampaignInput, now: Date): Promise<CampaignRow> {
  const definition = readDefinition(input);
  const channels = channelsOf(definition);
  await assertInAppAllowed(tx, workspaceId, channels);
  return insert(tx, { workspace_id: workspaceId, id: newId(), name: input.name, definition, channels }, now);
}

/**
 * Changes the draft. The published version stays until the campaign is activated again.
 * @throws Problem not_found, wrong_status, in_app_disabled, invalid_request
 */
export async function change(
  tx: Tx,
  workspaceId: string,
  { id, patch, now }: { id: string; patch: CampaignPatch; now: Date },
): Promise<CampaignRow> {
  const row = await lockCampaign(tx, workspaceId, id);
  nextStatus(row.status, "edit");
  const definition = readDefinition(patch, row.definition);
  const channels = channelsOf(definition);
  if (patch.steps) await assertInAppAllowed(tx, workspaceId, channels);
  return writeDraft(tx, { ...row, name: patch.name ?? row.name, definition, channels }, now);
}

/** Locks a campaign until the transaction ends, and returns it. @throws Problem not_found */
export async function lockCampaign(tx: Tx, workspaceId: string, id: string): Promise<CampaignRow> {
  const row = await lockById(tx, workspaceId, id);
  if (!row) throw notFound("campaign");
  return row;
}

/** Returns the channels of the message steps, each once. */
function channelsOf({ steps }: CampaignDefinition): Channel[] {
  const channels = new Set<Channel>();
  for (const step of stepsIn(steps)) {
    if (step.type !== "message") continue;
    for (const { channel } of messagesOf(step)) if (channel) channels.add(channel);
  }
  return [...channels].sort();
}

/** @throws Problem in_app_disabled */
async function assertInAppAllowed(q: Queries, workspaceId: string, channels: Channel[]): Promise<void> {
  if (!channels.includes("in_app")) return;
  const workspace = await workspaceById(q, workspaceId);
  if (workspace) assertAllowed(workspace);
}
