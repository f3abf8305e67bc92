import { RunInput } from "@tidings/contract/campaigns/campaigns";
import {
  CampaignMetrics,
  CampaignMetricsQuery,
  RunList,
  RunMove,
  RunsCancel,
  RunsCanceled,
  RunsQuery,
  RunStarted,
  RunWithHistory,
} from "@tidings/contract/campaigns/runs";
import { Type } from "typebox";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, decodeCursor, notFound, page } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { byId } from "./definition/store.ts";
import { cancelRuns, startRun } from "./entry/by-api.ts";
import { endRun, moveRun, retryRun, skipStep } from "./look/intervene.ts";
import { campaignMetrics } from "./look/metrics.ts";
import { runFilterOf, runShape, runWithHistory } from "./look/runs.ts";
import { listRuns } from "./look/list-store.ts";
import type { CampaignRef } from "./run/run.ts";

const params = Type.Object({ id: Type.String() });
const runParams = Type.Object({ id: Type.String(), run_id: Type.String() });
const tags = ["campaigns"];

/** @throws Problem not_found */
function runIdOf(text: string): string {
  const id = decodeId("run", text);
  if (!id) throw notFound("run");
  return id;
}

/** Routes of a campaign's runs: start and cancel them, list them, and intervene in one. */
export function runRoutes(app: App, ground: Ground, path: string, idOf: (text: string) => string): void {
  startAndCancelRoutes(app, ground, path, idOf);
  readRoutes(app, ground, path, idOf);
  interventionRoutes(app, ground, path, idOf);
}

function startAndCancelRoutes(app: App, { db, clock }: Ground, path: string, idOf: (text: string) => string): void {
  app.post(
    `${path}/runs`,
    {
      config: { needs: "send" },
      schema: {
        summary: "Start a run of an active campaign for a person",
        tags,
        params,
        body: RunInput,
        response: { 202: RunStarted },
      },
    },
    (request, reply) => {
      const campaign = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id) };
      const now = clock.now();
      return creating(db, { request, reply, scope: campaign.workspaceId, now, status: 202 }, async (tx) => ({
        run_id: encodeId("run", await startRun(tx, campaign, request.body, now)),
      }));
    },
  );

  app.post(
    `${path}/runs/cancel`,
    {
      config: { needs: "send" },
      schema: {
        summary: "Cancel all active runs with this cancellation_key",
        tags,
        params,
        body: RunsCancel,
        response: { 200: RunsCanceled },
      },
    },
    async (request) => {
      const { cancellation_key: key } = request.body;
      const campaign = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id), key };
      return { canceled: await db.transaction((tx) => cancelRuns(tx, campaign, clock.now())) };
    },
  );
}

function readRoutes(app: App, ground: Ground, path: string, idOf: (text: string) => string): void {
  app.get(
    `${path}/runs`,
    {
      schema: {
        summary: "List the runs of a campaign, or those behind one of its numbers, latest first",
        tags,
        params,
        querystring: RunsQuery,
        response: { 200: RunList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, ...query } = request.query;
      const before = decodeCursor(cursor, "instant", "uuid");
      const campaign = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id) };
      const filter = runFilterOf(campaign.workspaceId, query);
      const q = inListTurns(ground, campaign.workspaceId);
      if (!(await byId(q, campaign.workspaceId, campaign.campaignId))) throw notFound("campaign");
      const rows = await listRuns(q, campaign, filter, { before, limit: limit + 1 });
      return page(rows, limit, (row) => [row.listed_at.toISOString(), row.id], runShape);
    },
  );

  app.get(
    `${path}/runs/:run_id`,
    {
      schema: {
        summary: "Get a run with its history, step by step",
        tags,
        params: runParams,
        response: { 200: RunWithHistory },
      },
    },
    (request) => {
      const campaign = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id) };
      return runWithHistory(ground.db, campaign, runIdOf(request.params.run_id));
    },
  );

  app.get(
    `${path}/metrics`,
    {
      schema: {
        summary: "Get the numbers of its messages, runs, steps and goal, also by the hour or day",
        tags,
        params,
        querystring: CampaignMetricsQuery,
        response: { 200: CampaignMetrics },
      },
    },
    async (request) => {
      const { workspace } = request.caller;
      const row = await byId(ground.db, workspace.id, idOf(request.params.id));
      if (!row) throw notFound("campaign");
      const now = ground.clock.now();
      return campaignMetrics(inListTurns(ground, workspace.id), { workspace, row, now }, request.query);
    },
  );
}

type Intervention = (tx: Tx, campaign: CampaignRef, id: string, now: Date) => Promise<void>;
const INTERVENTIONS: Record<string, { intervene: Intervention; summary: string }> = {
  skip: { intervene: skipStep, summary: "Skip the step where a run stands" },
  retry: { intervene: retryRun, summary: "Retry the failed step of a run" },
  end: { intervene: endRun, summary: "End a run" },
};

function interventionRoutes(app: App, { db, clock }: Ground, path: string, idOf: (text: string) => string): void {
  const changed = (campaign: CampaignRef, id: string, work: (tx: Tx) => Promise<void>) =>
    db.transaction(async (tx) => {
      await work(tx);
      return runWithHistory(tx, campaign, id);
    });

  app.post(
    `${path}/runs/:run_id/move`,
    {
      config: { needs: "send" },
      schema: {
        summary: "Move a run to another step",
        tags,
        params: runParams,
        body: RunMove,
        response: { 200: RunWithHistory },
      },
    },
    (request) => {
      const campaign = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id) };
      const id = runIdOf(request.params.run_id);
      return changed(campaign, id, (tx) =>
        moveRun(tx, campaign, { id, stepId: request.body.step_id, now: clock.now() }),
      );
    },
  );

  for (const [name, { intervene, summary }] of Object.entries(INTERVENTIONS))
    app.post(
      `${path}/runs/:run_id/${name}`,
      { config: { needs: "send" }, schema: { summary, tags, params: runParams, response: { 200: RunWithHistory } } },
      (request) => {
        const campaign = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id) };
        const id = runIdOf(request.params.run_id);
        return changed(campaign, id, (tx) => intervene(tx, campaign, id, clock.now()));
      },
    );
}
