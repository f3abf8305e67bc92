import type { Step } from "@tidings/contract/campaigns/steps";
import type { Channel } from "@tidings/contract/facts/activity";
import type { CampaignsGround } from "../../definition/entrances.ts";
import { type Person, personView } from "../../../people/index.ts";
import { type Cause, renderValue } from "../../../content/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { Problem } from "../../../platform/http/index.ts";
import { derivedId } from "../../../platform/ids.ts";
import { atMost } from "../../../platform/limits/at-most.ts";
import type { AskHeld } from "../../../sendings/index.ts";
import type { Workspace } from "../../../workspaces/index.ts";
import type { Published } from "../../definition/published.ts";
import { lastBatch } from "../../rules/batches.ts";
import type { TriedMessage } from "../../rules/escalation.ts";
import type { Outcome, StepFacts, Time, Turn } from "../../rules/turn.ts";
import type { Output, PassageRow, RunRow } from "../../run/run.ts";

/** What runs of one graph need to advance: in the engine, and in a simulation, which has no transaction. */
export interface StepContext {
  workspace: Workspace;
  published: Published;
  time: Time;
}

/** The transaction and the context in which runs of one graph advance. */
export interface Batch extends StepContext {
  tx: Tx;
  ground: CampaignsGround;
  /** Tells from whom the workspace's limits hold a message back. */
  heldBack: AskHeld;
}

/** A run that advances in this round, with its person. */
export interface Participant {
  readonly run: RunRow;
  person: Person;
  /** The step that the run reaches next; null where the run has ended. */
  at: string | null;
  /** When the run reached it, by the campaign's own clock. */
  steppedAt: Date;
  outputs: Record<string, Output>;
  /** The messages that it was sent at this step, in their order. Only message steps have some. */
  sent: SentMessage[];
  /** When the last of them was queued, by the campaign's own clock. */
  sentAt: Date;
  /** The passages of this round. */
  passages: PassageRow[];
}

/** A message of a step that was queued for a person, or failed. */
export interface SentMessage extends TriedMessage {
  channel: Channel;
  deliveryId: string;
  /** By the service's clock. Null where the delivery is not stored: the message failed for everybody, or its time of storage is over. */
  at: Date | null;
  seenAt: Date | null;
  /** It was taken back, because the person saw another one. */
  takenBack: boolean;
}

/** An effect that `turn` decided. */
export type Effect = Extract<Turn, { kind: "effect" }>;

/** The outcome of a step's effect for one run, with the details for its passage. */
export interface StepResult extends Outcome {
  deliveryId?: string;
  detail?: Record<string, unknown>;
}

/** The part of a type of step that reads and writes, for all runs of a batch that stand at one step. Both answer in the order of the runs. */
export interface StepWork<S extends Step = Step, C extends StepContext = Batch> {
  /** Loads the facts that `turn` needs. */
  loadFacts?(context: C, step: S, participants: Participant[]): Promise<StepFacts[]>;
  /** Carries out the effects. A failure for one person is an outcome; a thrown error fails the batch. */
  act?(context: C, step: S, participants: Participant[], effects: Effect[]): Promise<StepResult[]>;
  /** Returns more details for the run's passage, after its turn was decided. */
  detailOf?(step: S, participant: Participant, next: Turn): Record<string, unknown> | undefined;
}

/** Returns the keys of the people of these runs, each once. */
export const keysOf = (participants: Participant[]): string[] => [
  ...new Set(participants.map(({ run }) => run.person_key)),
];

/** Returns the data of a run that content can read. */
export function causeOf({ run, outputs }: Participant): Cause {
  const gathered = lastBatch(outputs);
  return { trigger: run.data, steps: outputs, ...(gathered && { batch: { ...gathered } }) };
}

/** The most participants whose values are rendered at once. */
const RENDERS = 8;

/**
 * Renders the Liquid in a value of a step for each of these runs. A template that fails for a person is the outcome of that person.
 * @throws faults of the service
 */
export const valuesFor = <T>(
  { workspace }: Pick<Batch, "workspace">,
  value: T,
  participants: Participant[],
): Promise<({ value: T } | { failure: StepResult })[]> =>
  atMost(RENDERS, participants, async (participant) => {
    try {
      const turn = { workspaceId: workspace.id, kind: "bulk" as const };
      const scope = { ...causeOf(participant), person: personView(participant.person), turn };
      return { value: await renderValue(value, scope) };
    } catch (error) {
      return { failure: failureOf(error) };
    }
  });

/**
 * Returns the outcome of a step that a Problem prevents, such as a template that fails.
 * @throws the error, where it is a fault of the service or says that the service is busy: the step may succeed when it is repeated
 */
export function failureOf(error: unknown): StepResult {
  if (!(error instanceof Problem) || error.status >= 500 || error.code === "busy") throw error;
  return { failed: error.code, detail: { message: error.message } };
}

/** Returns the id of the only delivery that a run can have of a step's message. @param position 0 is the step's own message, see escalation.ts */
export const deliveryIdOf = (runId: string, stepId: string, position = 0): string =>
  position === 0
    ? derivedId("campaign step", runId, stepId)
    : derivedId("campaign step", runId, stepId, String(position));

/** Carries out work that fails for all runs alike: a Problem becomes the outcome of each. @throws faults of the service */
export async function forAll(participants: Participant[], work: () => Promise<StepResult[]>): Promise<StepResult[]> {
  try {
    return await work();
  } catch (error) {
    const failure = failureOf(error);
    return participants.map(() => failure);
  }
}
