import { Campaign, CampaignInput, CampaignList, CampaignPatch } from "@tidings/contract/campaigns/campaigns";
import { summaryOf } from "@tidings/contract/campaigns/summary";
import type { OutboundGround } from "../outbound/index.ts";
import type { App } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { crud } from "../platform/resources/crud.ts";
import { originOf, workspaceOf } from "../workspaces/index.ts";
import { callRoutes } from "./calls-product.ts";
import { change, create } from "./definition/campaign.ts";
import { discard } from "./moves.ts";
import { moveRoutes, versionRoute } from "./moves-product.ts";
import { personRunsRoute, runRoutes } from "./runs-product.ts";
import { simulateRoutes } from "./simulate-product.ts";
import { progressIn } from "./rules/progress.ts";
import { byId, type CampaignRow, type ListedCampaign, listSource, lockById } from "./definition/store.ts";

const PATH = "/campaigns";

/** Routes of /campaigns: CRUD, status changes and runs. */
export function product(app: App, ground: OutboundGround): void {
  const shape = (row: CampaignRow) => shapeOf(row, ground.clock.now());
  const kind = { noun: "campaign", locked: lockById, shape, derived: ["summary", "changed", "progress"] };
  const idOf = crud(app, ground, {
    ...kind,
    path: PATH,
    tag: "campaigns",
    prefix: "cmp",
    summaries: {
      list: "List campaigns, newest first, without their steps",
      create: "Create a campaign as a draft",
      read: "Get a campaign with its latest draft and its published version",
      change: "Change the draft; the published version stays until the campaign is activated again",
      remove: "Remove a draft or an archived campaign",
    },
    schemas: { input: CampaignInput, patch: CampaignPatch, one: Campaign, list: CampaignList },
    scopeOf: workspaceOf,
    originOf,
    list: listSource,
    byId,
    create: (workspaceId, input) => (tx, now) => create(tx, workspaceId, input, now),
    change: (workspaceId, id, patch) => (tx, now) => change(tx, workspaceId, { id, patch, now }),
    remove: (workspaceId, id) => (tx) => discard(tx, workspaceId, id),
    summary: (row: ListedCampaign) => summaryIn(row, ground.clock.now()),
  });
  moveRoutes(app, ground, { path: `${PATH}/:id`, idOf, kind });
  versionRoute(app, ground, { path: `${PATH}/:id`, idOf });
  callRoutes(app, ground, PATH);
  runRoutes(app, ground, `${PATH}/:id`, idOf);
  personRunsRoute(app, ground);
  simulateRoutes(app, ground, `${PATH}/:id`, idOf);
}

/** Returns a campaign as the API shows it. */
const shapeOf = (row: CampaignRow, now: Date) => ({
  ...common(row),
  ...row.definition,
  summary: summaryOf(row.definition),
  ...publication(row, now),
});

const summaryIn = (row: ListedCampaign, now: Date) => ({
  ...common(row),
  trigger_type: row.trigger_type,
  trigger: row.trigger,
  active_runs: row.active_runs,
  step_count: row.step_count,
  channels: row.channels,
  ...publication(row, now),
});

const common = ({ id, name, status }: ListedCampaign | CampaignRow) => ({ id: encodeId("cmp", id), name, status });

const publication = (row: ListedCampaign | CampaignRow, now: Date) => ({
  published:
    row.version === null || row.activated_at === null
      ? null
      : { version: row.version, activated_at: row.activated_at.toISOString() },
  changed: row.changed,
  paused_at: row.paused_at?.toISOString() ?? null,
  progress: progressIn(row, now),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
