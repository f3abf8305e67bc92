import type { PassageState, RunStatus } from "@tidings/contract/campaigns/campaigns";
import { type Person, personView } from "../../people/index.ts";
import { zoneOf } from "../../platform/time/window.ts";
import type { Workspace } from "../../workspaces/index.ts";
import type { BatchOutput } from "../rules/batches.ts";
import type { RunAtStep } from "../rules/turn.ts";

/** Signal that runs of these campaigns are due. The rows are the truth; a lost signal delays them until the engine polls. */
export const RUNS_DUE = "campaigns.due";

/** Signal that these campaigns have calls to make. The rows are the truth; a lost signal delays them until the next poll. */
export const CALLS_DUE = "campaigns.calls_due";

/** A campaign, by its ids. */
export interface CampaignRef {
  workspaceId: string;
  campaignId: string;
}

/** One person's run through a campaign: a row of campaign_runs. */
export interface RunRow {
  person_key: string;
  id: string;
  workspace_id: string;
  campaign_id: string;
  graph: number;
  status: RunStatus;
  reason: string | null;
  /** The present step; null once the run has ended. */
  step_id: string | null;
  /** `{{trigger.*}}` */
  data: Record<string, unknown>;
  /** `{{steps.*}}` by the step's id. */
  outputs: Record<string, Output>;
  cancellation_key: string | null;
  entered_at: Date;
  /** When the run reached its present step, by the campaign's own clock. */
  stepped_at: Date;
  waits_for: string | null;
  /** By the campaign's own clock, or by the service's clock if `due_fixed`. */
  due_at: Date | null;
  /** Whether the run waits for a date, which a pause of the campaign does not move. */
  due_fixed: boolean;
  /** The deliveries of a message step that escalates, in the order of its messages. One that is seen or fails makes the run due. */
  escalation: string[] | null;
  /** When the last of them was queued, by the campaign's own clock. */
  escalated_at: Date | null;
  attempts: number;
  goal_at: Date | null;
  ended_at: Date | null;
}

/** Returns a run at its step, as the rules see it. @param steppedAt when it reached the step, by the campaign's own clock */
export const runAtStep = (
  { workspace }: { workspace: Pick<Workspace, "timezone"> },
  { run, person, steppedAt }: { run: Pick<RunRow, "data">; person: Person; steppedAt: Date },
): RunAtStep => ({
  steppedAt,
  trigger: run.data,
  person: personView(person),
  zone: zoneOf(person.timezone, workspace.timezone),
});

/** Returns the fields of a run that ended at this time: it stands at no step and waits for nothing. */
export const endedFields = (now: Date) => ({
  step_id: null,
  waits_for: null,
  due_at: null,
  due_fixed: false,
  escalation: null,
  escalated_at: null,
  ended_at: now,
});

/** The output of a step, for later steps. */
export interface Output extends BatchOutput {
  event?: Record<string, unknown>;
  response?: Record<string, unknown>;
}

/** A run at a step, as a row of campaign_passages. */
export interface PassageRow {
  person_key: string;
  run_id: string;
  step_id: string;
  workspace_id: string;
  campaign_id: string;
  entered_at: Date;
  left_at: Date | null;
  state: PassageState;
  way: string | null;
  reason: string | null;
  delivery_id: string | null;
  /** The deliveries of a step that sent several messages, in their order. Null where `delivery_id` is the only one. */
  deliveries: string[] | null;
  detail: Record<string, unknown> | null;
}
