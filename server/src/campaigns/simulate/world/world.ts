import type { Channel } from "@tidings/contract/facts/activity";
import type { StepHappening, TimelineEntry } from "@tidings/contract/campaigns/simulate";
import type { PersonFacts } from "../../../audiences/index.ts";
import type { loadFilterContext } from "../../../audiences/index.ts";
import type { Queries } from "../../../platform/db/index.ts";
import type { Rehearsed, RehearsalRecipient, Sending } from "../../../sendings/index.ts";
import type { StepContext } from "../../engine/steps/batch.ts";
import type { SignedAnswer } from "../../../platform/outbound-http/index.ts";
import type { CallRow } from "../../calls/call-store.ts";
import type { OpenBatch } from "../../rules/batches.ts";
import type { HappenedEvent } from "../../rules/events.ts";
import type { PassageRow, RunRow } from "../../run/run.ts";

// A simulation is a world in memory: people with their data, a clock, and the runs of one campaign. The engine's `walk` and the rules
// decide what happens in it; nothing is written to the database.

/** The filters' data of one person, and their entries. */
export interface SimulatedPerson {
  /** Changes while the simulation goes on. The deliveries are those of the simulation and those from before it. */
  facts: PersonFacts;
  /** The events since the simulation began, the oldest first. */
  happened: HappenedEvent[];
  /** When the person last entered the campaign in this simulation. */
  enteredAt: Date | undefined;
  /** The ids of the person's runs, in the order of their entry. */
  runIds: string[];
  /** Whether the person is in the audience of the trigger. */
  isMember: boolean;
}

/** A delivery of a message step. */
export type SimulatedDelivery = PersonFacts["deliveries"][number] & {
  stepId: string;
  reason: string | null;
  topicId: string | null;
  inbox: boolean;
};

/** An answer of the receiver of a webhook step. */
export interface SimulatedAnswer {
  status: number;
  body: unknown;
  /** Why there is no answer; null where there is one. */
  error: SignedAnswer["failure"];
  /** In seconds. */
  retryAfter: number | null;
}

/** What the receiver of a webhook step answers: to the first attempts one answer each, then always the same. */
export interface SimulatedResponse {
  first: SimulatedAnswer[];
  rest: SimulatedAnswer;
}

/** The call of a run at a webhook step. */
export interface SimulatedCall extends Pick<CallRow, "url" | "body" | "state" | "attempts" | "answer"> {
  runId: string;
  stepId: string;
  /** When the next attempt is due. */
  at: Date;
}

/** A batch of a batch step. */
export type SimulatedBatch = OpenBatch & { stepId: string };

/** A run with its history. */
export interface SimulatedRun {
  row: RunRow;
  /** By step id, in the order in which the run reached the steps. */
  passages: Map<string, PassageRow>;
  /** The deliveries of its message steps by their ids, the oldest first. */
  deliveries: Map<string, SimulatedDelivery>;
}

/** The verdict of each condition of a filter. */
export type Verdicts = TimelineEntry["because"];

/** Follows what happens in a world. A time line and the numbers of a replay are made of it. */
export interface Observer {
  happened(personKey: string, event: HappenedEvent): void;
  entered(run: RunRow): void;
  refused(personKey: string, reason: string): void;
  /** A filter was evaluated for a run at a step. `verdicts` computes why it matches or not. */
  evaluated(runId: string, stepId: string, verdicts: () => Verdicts): void;
  rehearsed(run: RunRow, stepId: string, channel: Channel, message: Rehearsed): void;
  /** A run waits at a step, or has passed it. */
  passed(passage: PassageRow, run: RunRow): void;
  /** A call of a webhook step was not answered well, and is repeated at `call.at`. */
  attempted(run: RunRow, call: SimulatedCall): void;
  outcome(stepId: string, run: RunRow | undefined, happened: StepHappening): void;
  reachedGoal(run: RunRow): void;
  /** `stepId` is the step at which the run ended. */
  ended(run: RunRow, stepId: string | null): void;
}

export interface World extends StepContext {
  /** For the few reads of a simulation that goes on: templates, messages, suppressed addresses. */
  q: Queries;
  filters: Awaited<ReturnType<typeof loadFilterContext>>;
  people: Map<string, SimulatedPerson>;
  runs: Map<string, SimulatedRun>;
  /** When runs passed throttle steps, by step and key. */
  passed: Map<string, Date[]>;
  /** The batches of batch steps, the oldest first. */
  batches: SimulatedBatch[];
  /** The messages of the step under way: they are sent right after it, as the engine's are after its transaction. */
  queued: SimulatedDelivery[];
  /** Whether messages and calls are rendered. */
  renders: boolean;
  /** By the id of the webhook step. */
  responses: Map<string, SimulatedResponse>;
  /** The calls that are not collected, by run. */
  calls: Map<string, SimulatedCall>;
  rehearse(sending: Sending, recipients: RehearsalRecipient[]): Promise<Rehearsed[]>;
  observer: Observer;
}

/** Returns the run of this id. */
export function runIn({ runs }: Pick<World, "runs">, id: string): SimulatedRun {
  const run = runs.get(id);
  if (!run) throw new Error("the simulation has no such run");
  return run;
}

/** Returns the person with this key. */
export function personIn({ people }: Pick<World, "people">, key: string): SimulatedPerson {
  const person = people.get(key);
  if (!person) throw new Error("the simulation has no such person");
  return person;
}
