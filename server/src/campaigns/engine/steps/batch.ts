import type { Step } from "@tidings/contract/campaigns/steps";
import type { OutboundGround } from "../../../outbound/index.ts";
import { type Person, personView } from "../../../people/index.ts";
import type { Cause } from "../../../content/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { Problem } from "../../../platform/http/index.ts";
import { derivedId } from "../../../platform/ids.ts";
import type { Workspace } from "../../../workspaces/index.ts";
import type { Published } from "../../definition/published.ts";
import type { Facts, Outcome, Standing, Time } from "../../rules/turn.ts";
import { zoneOf } from "../../rules/waits.ts";
import type { Output, PassageRow, RunRow } from "../../run/run.ts";

/** What the runs of one graph of a campaign are advanced with, in one transaction. */
export interface Batch {
  tx: Tx;
  ground: OutboundGround;
  workspace: Workspace;
  published: Published;
  time: Time;
}

/** A run under way. */
export interface Walk {
  readonly run: RunRow;
  person: Person;
  /** The step that it comes to next; null where it has ended. */
  at: string | null;
  /** When it came there, by the campaign's own clock. */
  steppedAt: Date;
  outputs: Record<string, Output>;
  /** What the steps of this round made of it. */
  passages: PassageRow[];
}

/** What became of a step's effect for one run, and what the passage says of it. */
export interface Done extends Outcome {
  deliveryId?: string;
  detail?: Record<string, unknown>;
}

/** The part of a type of step that reads and writes, for all runs of a batch that stand at one step. Both answer in the order of the runs. */
export interface StepWork<S extends Step = Step> {
  /** Finds out what `turn` needs to know. */
  ask?(batch: Batch, step: S, walks: Walk[]): Promise<Facts[]>;
  /** Carries out the effect. A failure of one person's is an outcome; what is thrown fails the batch. */
  act?(batch: Batch, step: S, walks: Walk[]): Promise<Done[]>;
}

/** Where a run stands, as the rules see it. */
export const standingOf = ({ workspace }: Batch, { run, person, steppedAt }: Walk): Standing => ({
  steppedAt,
  trigger: run.data,
  person: personView(person),
  zone: zoneOf(person.timezone, workspace.timezone),
});

/** What content sees of a run beside the person. */
export const causeOf = ({ run, outputs }: Walk): Cause => ({ trigger: run.data, steps: outputs });

/** The id of the one delivery that a run may have of a step. */
export const deliveryIdOf = (runId: string, stepId: string): string => derivedId("campaign step", runId, stepId);

/** Carries out what fails for all runs alike where it fails: the reason is noted for each. Faults of the service are thrown. */
export async function forAll(walks: Walk[], work: () => Promise<Done[]>): Promise<Done[]> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return walks.map(() => ({ failed: error.code, detail: { message: error.message } }));
  }
}
