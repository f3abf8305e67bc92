import { type Static, Type } from "typebox";
import { Channel } from "../facts/activity.ts";
import { Closed, Dictionary, Instant, JsonObject, Line, Nullable, OneOf, PersonId } from "../primitives.ts";
import { CampaignDraft } from "./campaigns.ts";
import { StepCounts } from "./runs.ts";
import { stepShapes, StepId, type StepType } from "./steps.ts";

// A campaign on a virtual clock: for one person with made-up events, and for the real events of the last days. Nothing is written.

export const StepHappening = OneOf(["seen", "clicked", "failed"]);
export type StepHappening = Static<typeof StepHappening>;

/** What happens while the clock goes on: an event of the person, or the outcome of a step's message. */
export const SimulatedHappening = Closed({
  at: Instant,
  eventName: Type.Optional(Line(200, { minLength: 1, description: "An event of the person." })),
  properties: Type.Optional(JsonObject),
  step: Type.Optional(
    Type.String({ ...StepId, description: "Instead of an event: the message step whose message has this outcome." }),
  ),
  happened: Type.Optional(StepHappening),
});

/** An answer of the receiver of a webhook step. */
const answer = {
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: "Default: 200." })),
  body: Type.Optional(Type.Unknown({ description: "Any JSON. Default: null, an answer without a body." })),
  error: Type.Optional(
    OneOf(["timeout", "not_connected", "connection_lost", "name_not_found", "too_large", "private_address"], {
      description: "Instead of an answer: why there is none.",
    }),
  ),
  retry_after: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 86_400, description: "The answer's `Retry-After`, in seconds." }),
  ),
};
const SimulatedResponse = Closed({
  ...answer,
  first: Type.Optional(
    Type.Array(Closed(answer), {
      maxItems: 5,
      description: "The answers to the first attempts. Those after them get the answer beside it.",
    }),
  ),
});

export const SimulateInput = Closed({
  draft: Type.Optional(CampaignDraft),
  person_id: Type.Optional(PersonId),
  person: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...JsonObject,
      description:
        "Attributes of a made-up person, as for identify. With `person_id`: attributes that the real person has in the simulation.",
    }),
  ),
  lists: Type.Optional(
    Type.Array(Line(100), { maxItems: 100, description: "Lists that the person is on, besides their own." }),
  ),
  events: Type.Optional(Type.Array(SimulatedHappening, { maxItems: 100 })),
  responses: Type.Optional(
    Dictionary(SimulatedResponse, {
      maxProperties: 200,
      description:
        "By step id: the answer that the call of a webhook step gets, in each attempt. Default: 200 without a body.",
    }),
  ),
  start: Type.Optional(
    Type.Unsafe<string>({
      ...Instant,
      description: "When the virtual clock starts. Default: the time of the first event, or now if there is none.",
    }),
  ),
  data: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...JsonObject,
      description:
        "The person enters at `start` by a call with this data, whatever the trigger is. Where the trigger is `api`, they enter by a call also without it.",
    }),
  ),
});
export type SimulateInput = Static<typeof SimulateInput>;

export const timelineKinds = [
  "event",
  "entered",
  "not_entered",
  "step",
  "wait",
  "verdict",
  "message",
  "outcome",
  "goal",
  "ended",
] as const;

/** What a message step sends. */
export const SimulatedMessage = Type.Object({
  channel: Channel,
  status: OneOf(["sent", "failed", "held_out"]),
  reason: Nullable(Type.String({ description: "Why the message fails." })),
  variant: Nullable(Type.String()),
  locale: Nullable(Type.String()),
  to: Nullable(Type.String()),
  content: Nullable(
    Type.Unsafe<Record<string, unknown>>({
      ...JsonObject,
      description: "The rendered content, as in a preview. Null for a message that is not sent.",
    }),
  ),
});
export type SimulatedMessage = Static<typeof SimulatedMessage>;

/** The call of a webhook step. Values of more than 4,096 characters are the beginning of their JSON, as in the history of a run. */
const SimulatedCall = Type.Object({
  url: Type.String(),
  body: Type.Unknown({ description: "The rendered body." }),
  attempt: Type.Integer({ description: "Which attempt it is: 1 is the first." }),
  status: Nullable(Type.Integer({ description: "The status of the answer. Null where there is none." })),
  response: Type.Unknown({ description: "The body of the answer." }),
  error: Type.Optional(Type.String({ description: "Why there is no answer." })),
});

/** One entry of the time line, in the order of the virtual clock. */
export const TimelineEntry = Type.Object({
  at: Instant,
  kind: OneOf([...timelineKinds]),
  run: Nullable(
    Type.Integer({ description: "The run that the entry belongs to: 1 for the first entry of the person, and so on." }),
  ),
  step_id: Nullable(Type.String()),
  step_type: Nullable(OneOf(Object.keys(stepShapes) as StepType[])),
  text: Type.String({ description: "The entry in words." }),
  asked: Nullable(Type.String({ description: "What the step asks or does, in words." })),
  way: Nullable(Type.String({ description: "The path that the run takes, from a step that has several." })),
  reason: Nullable(Type.String({ description: "The reason code of a failure, of an end, or of a refused entry." })),
  because: Type.Array(Type.Object({ pass: Type.Boolean(), text: Type.String() }), {
    description: "The verdict of each condition of the step's filter, or of `exit_when`.",
  }),
  next_at: Nullable(
    Type.Unsafe<string>({ ...Instant, description: "When the run continues, if nothing happens before." }),
  ),
  held_by: Type.Optional(
    OneOf(["limit", "window"], { description: "What of the workspace's `marketing_limits` holds the message back." }),
  ),
  event: Type.Optional(Type.Object({ eventName: Type.String(), properties: JsonObject })),
  message: Type.Optional(SimulatedMessage),
  call: Type.Optional(SimulatedCall),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

const stops = ["entries", "until", "too_long"] as const;
export type SimulationStop = (typeof stops)[number];

export const Simulation = Type.Object({
  timeline: Type.Array(TimelineEntry),
  stopped: Nullable(
    OneOf([...stops], {
      description:
        "Why the time line ends early. `entries`: it has 500 entries. `until`: the next entry is more than five years after the start. `too_long`: it took longer than 5 s.",
    }),
  ),
});

export const ReplayInput = Closed({
  days: Type.Integer({ minimum: 1, maximum: 30 }),
  draft: Type.Optional(CampaignDraft),
});
export type ReplayInput = Static<typeof ReplayInput>;

/** What a message step would have sent on one channel. */
const ReplayedMessages = Type.Object({
  step_id: Type.String(),
  channel: Channel,
  sent: Type.Integer(),
  failed: Dictionary(Type.Integer(), { description: "Messages that would not have been sent, by reason." }),
  held_out: Type.Integer(),
});

export const Replay = Type.Object({
  from: Instant,
  to: Instant,
  people: Type.Integer({
    description:
      "People who could have entered in this time: who did the event of the trigger, have a date near these days, or could have been in the audience.",
  }),
  simulated: Type.Integer({ description: "How many of these people were simulated." }),
  estimate: Type.Boolean({
    description: "Whether the numbers below are scaled up from the simulated people to all of them.",
  }),
  entered: Type.Integer({ description: "Entries: a person may enter more than once." }),
  refused: Dictionary(Type.Integer(), {
    description: "Events, days and changes of the trigger that would have let nobody in, by reason.",
  }),
  status: Dictionary(Type.Integer(), { description: "The runs by their status now." }),
  steps: Dictionary(StepCounts, { description: "Where the runs are now, and what the steps have made of them." }),
  messages: Type.Array(ReplayedMessages),
  goal: Type.Optional(Type.Object({ reached: Type.Integer() })),
  stopped: Nullable(
    OneOf(["events", "too_long"], {
      description:
        "Why the numbers are incomplete. `events`: somebody has more events than are read. `too_long`: it took longer than 15 s.",
    }),
  ),
});
export type Replay = Static<typeof Replay>;
