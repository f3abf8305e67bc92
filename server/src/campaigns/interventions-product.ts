import { RunMove, RunsChange, RunsChanged, RunsMove, RunWithHistory } from "@tidings/contract/campaigns/runs";
import { Type } from "typebox";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import type { App } from "../platform/http/index.ts";
import { changeRuns } from "./intervene/change.ts";
import { endRun, moveRun, retryRun, skipStep } from "./intervene/intervene.ts";
import { runIdOf, runWithHistory } from "./look/runs.ts";
import type { CampaignRef } from "./run/run.ts";

const params = Type.Object({ id: Type.String() });
const runParams = Type.Object({ id: Type.String(), run_id: Type.String() });
const tags = ["campaigns"];

type Intervention = (tx: Tx, campaign: CampaignRef, id: string, now: Date) => Promise<void>;
const INTERVENTIONS: Record<"skip" | "retry" | "end", { intervene: Intervention; summary: string; all: string }> = {
  skip: {
    intervene: skipStep,
    summary: "Skip the step where a run stands",
    all: "Skip the step at which the runs of a filter are",
  },
  retry: {
    intervene: retryRun,
    summary: "Retry the failed step of a run",
    all: "Retry the failed steps of the runs of a filter",
  },
  end: { intervene: endRun, summary: "End a run", all: "End the active runs of a filter" },
};

/** Routes of an operator who intervenes in one run, or in all runs of a filter. */
export function interventionRoutes(app: App, ground: Ground, path: string, idOf: (text: string) => string): void {
  oneRunRoutes(app, ground, path, idOf);
  manyRunsRoutes(app, ground, path, idOf);
}

function manyRunsRoutes(app: App, ground: Ground, path: string, idOf: (text: string) => string): void {
  app.post(
    `${path}/runs/move`,
    {
      config: { needs: "send" },
      schema: {
        summary: "Move the runs of a filter to another step",
        tags,
        params,
        body: RunsMove,
        response: { 200: RunsChanged },
      },
    },
    (request) => {
      const campaign = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id) };
      const { step_id: stepId, ...input } = request.body;
      return changeRuns(ground, { campaign, call: { kind: "move", stepId }, input });
    },
  );

  for (const kind of ["skip", "retry", "end"] as const)
    app.post(
      `${path}/runs/${kind}`,
      {
        config: { needs: "send" },
        schema: { summary: INTERVENTIONS[kind].all, tags, params, body: RunsChange, response: { 200: RunsChanged } },
      },
      (request) => {
        const campaign = { workspaceId: request.caller.workspace.id, campaignId: idOf(request.params.id) };
        return changeRuns(ground, { campaign, call: { kind }, input: request.body });
      },
    );
}

function oneRunRoutes(app: App, { db, clock }: Ground, path: string, idOf: (text: string) => string): void {
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
