import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import { type Published, withJourney } from "../../../src/campaigns/definition/published.ts";
import { sql } from "../../../src/platform/db/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import type { TestService } from "../service.ts";

/** An active campaign, written as rows: for tests of one part of campaigns. It waits a day and ends. */
export async function published(
  { service: { ground }, workspaceId }: TestService,
  own: Partial<CampaignDefinition> = {},
): Promise<Published> {
  const definition: CampaignDefinition = {
    trigger: { type: "api" },
    reentry: "once",
    steps: [{ id: "pause", type: "wait", for: { amount: 1, unit: "days" } }],
    entry_max_age: { amount: 24, unit: "hours" },
    exit_when: null,
    goal: null,
    cancel_on: null,
    ...own,
  };
  const [campaignId, now] = [newId(), ground.clock.now()];
  await ground.db.execute(sql`
    insert into campaigns (workspace_id, id, name, status, definition, version, graph, activated_at, created_at, updated_at)
    values (${workspaceId}, ${campaignId}, 'Test', 'active', ${JSON.stringify(definition)}, 1, 1, ${now}, ${now}, ${now})`);
  await ground.db.execute(sql`
    insert into campaign_versions (workspace_id, campaign_id, version, graph, definition, created_at)
    values (${workspaceId}, ${campaignId}, 1, 1, ${JSON.stringify(definition)}, ${now})`);
  return withJourney({ workspace_id: workspaceId, campaign_id: campaignId, version: 1, graph: 1, definition });
}
