import { RunInput } from "@tidings/contract/campaigns/campaigns";
import {
  CampaignMetrics,
  CampaignMetricsQuery,
  PersonRunList,
  PersonRunsQuery,
  RunList,
  RunsCancel,
  RunsCanceled,
  RunsQuery,
  RunStarted,
  RunWithHistory,
} from "@tidings/contract/campaigns/runs";
import { PersonId } from "@tidings/contract/primitives";
import { Type } from "typebox";
import { numberRoutes } from "../analytics/index.ts";
import { findPeople } from "../people/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, decodeCursor, notFound, page, Problem } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { byId } from "./definition/store.ts";
import { interventionRoutes } from "./interventions-product.ts";
import { cancelRuns, startRun } from "./entry/by-api.ts";
import { campaignMetrics } from "./look/metrics.ts";
import { runFilterOf, runIdOf, runShape, runWithHistory } from "./look/runs.ts";
import { listRuns, listRunsOf } from "./look/list-store.ts";

const params = Type.Object({ id: Type.String() });
const runParams = Type.Object({ id: Type.String(), run_id: Type.String() });
const tags = ["campaigns"];

/** Routes of a campaign's runs: start and cancel them, list them, count them, and intervene in them. */
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

  numberRoutes(app, ground, {
    path,
    tag: "campaigns",
    noun: "campaign",
    idOf,
    find: byId,
    metrics: {
      summary: "Get the numbers of its messages, runs, steps and goal, also by the hour or day",
      query: CampaignMetricsQuery,
      answer: CampaignMetrics,
      of: (q, { workspace, row }, query) => campaignMetrics(q, { workspace, row, now: ground.clock.now() }, query),
    },
  });
}

/** GET /people/:person_id/runs: the runs of one person, whichever campaign they are of. */
export function personRunsRoute(app: App, ground: Ground): void {
  app.get(
    "/people/:person_id/runs",
    {
      schema: {
        summary: "List the runs of a person in all campaigns, latest first",
        tags,
        params: Type.Object({ person_id: PersonId }),
        querystring: PersonRunsQuery,
        response: { 200: PersonRunList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, status } = request.query;
      const before = decodeCursor(cursor, "instant", "uuid");
      const workspaceId = request.caller.workspace.id;
      const q = inListTurns(ground, workspaceId);
      const [person] = await findPeople(q, [{ workspaceId, id: request.params.person_id }]);
      if (!person) throw new Problem("person_not_found", "The workspace knows no person with this person_id.");
      const whose = { workspaceId, personKey: person.person_key };
      const rows = await listRunsOf(q, whose, { status, before, limit: limit + 1 });
      return page(
        rows,
        limit,
        (row) => [row.entered_at.toISOString(), row.id],
        (row) => ({ ...runShape(row), campaign_name: row.campaign_name }),
      );
    },
  );
}
