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
import { personKey } from "../workspaces/index.ts";
import { byId } from "./definition/store.ts";
import { cancelRuns, startRun } from "./entry/by-api.ts";
import { endRun, moveRun, retryRun, skipStep } from "./look/intervene.ts";
import { campaignMetrics } from "./look/metrics.ts";
import { type CampaignOf, runShape, runWithHistory } from "./look/runs.ts";
import { listRuns } from "./run/look-store.ts";

const params = Type.Object({ id: Type.String() });
const runParams = Type.Object({ id: Type.String(), run_id: Type.String() });
const tags = ["campaigns"];

/** @throws Problem not_found */
function runIdOf(text: string): string {
  const id = decodeId("run", text);
  if (!id) throw notFound("run");
  return id;
}

/** Runs of a campaign: how they begin and end by a call, what is shown of them, and what is done to one. */
export function runRoutes(app: App, ground: Ground, path: string, idOf: (text: string) => string): void {
  beginAndEnd(app, ground, path, idOf);
  show(app, ground, path, idOf);
  intervene(app, ground, path, idOf);
}

function beginAndEnd(app: App, { db, clock }: Ground, path: string, idOf: (text: string) => string): void {
  app.post(
    `${path}/runs`,
    {
      config: { needs: "send" },
      schema: {
        summary: "Let a person into an active campaign",
        tags,
        params,
        body: RunInput,
        response: { 202: RunStarted },
      },
    },
    (request, reply) => {
      const of = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id) };
      const now = clock.now();
      return creating(db, { request, reply, scope: of.workspaceId, now, status: 202 }, async (tx) => ({
        run_id: encodeId("run", await startRun(tx, of, request.body, now)),
      }));
    },
  );

  app.post(
    `${path}/runs/cancel`,
    {
      config: { needs: "send" },
      schema: {
        summary: "End all active runs that have this cancellation_key",
        tags,
        params,
        body: RunsCancel,
        response: { 200: RunsCanceled },
      },
    },
    async (request) => {
      const { cancellation_key: key } = request.body;
      const of = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id), key };
      return { canceled: await db.transaction((tx) => cancelRuns(tx, of, clock.now())) };
    },
  );
}

function show(app: App, ground: Ground, path: string, idOf: (text: string) => string): void {
  app.get(
    `${path}/runs`,
    {
      schema: {
        summary: "The runs of a campaign, those that entered last first",
        tags,
        params,
        querystring: RunsQuery,
        response: { 200: RunList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, person_id, step, status } = request.query;
      const before = decodeCursor(cursor, "instant", "uuid");
      const of = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id) };
      const q = inListTurns(ground, of.workspaceId);
      if (!(await byId(q, of.workspaceId, of.campaignId))) throw notFound("campaign");
      const which = {
        personKey: person_id === undefined ? undefined : personKey(of.workspaceId, person_id),
        stepId: step,
        status,
      };
      const rows = await listRuns(q, of, which, { before, limit: limit + 1 });
      return page(rows, limit, (row) => [row.entered_at.toISOString(), row.id], runShape);
    },
  );

  app.get(
    `${path}/runs/:run_id`,
    {
      schema: {
        summary: "One run, with what each step made of it",
        tags,
        params: runParams,
        response: { 200: RunWithHistory },
      },
    },
    (request) => {
      const of = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id) };
      return runWithHistory(ground.db, of, runIdOf(request.params.run_id));
    },
  );

  app.get(
    `${path}/metrics`,
    {
      schema: {
        summary: "What became of its messages, its steps and its goal, in numbers",
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
      return campaignMetrics(inListTurns(ground, workspace.id), row, request.query.channel);
    },
  );
}

type Verb = (tx: Tx, of: CampaignOf, id: string, now: Date) => Promise<void>;
const VERBS: Record<string, { verb: Verb; summary: string }> = {
  skip: { verb: skipStep, summary: "Take a run past the step where it stands" },
  retry: { verb: retryRun, summary: "Try the step of a run again that failed" },
  end: { verb: endRun, summary: "End a run" },
};

function intervene(app: App, { db, clock }: Ground, path: string, idOf: (text: string) => string): void {
  const done = (of: CampaignOf, id: string, work: (tx: Tx) => Promise<void>) =>
    db.transaction(async (tx) => {
      await work(tx);
      return runWithHistory(tx, of, id);
    });

  app.post(
    `${path}/runs/:run_id/move`,
    {
      config: { needs: "send" },
      schema: {
        summary: "Put a run at another step",
        tags,
        params: runParams,
        body: RunMove,
        response: { 200: RunWithHistory },
      },
    },
    (request) => {
      const of = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id) };
      const id = runIdOf(request.params.run_id);
      return done(of, id, (tx) => moveRun(tx, of, { id, stepId: request.body.step_id, now: clock.now() }));
    },
  );

  for (const [name, { verb, summary }] of Object.entries(VERBS))
    app.post(
      `${path}/runs/:run_id/${name}`,
      { config: { needs: "send" }, schema: { summary, tags, params: runParams, response: { 200: RunWithHistory } } },
      (request) => {
        const of = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id) };
        const id = runIdOf(request.params.run_id);
        return done(of, id, (tx) => verb(tx, of, id, clock.now()));
      },
    );
}
