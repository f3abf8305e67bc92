import { type Static, Type } from "typebox";
import { Channel } from "../facts/activity.ts";
import { Preflight, samplesOf } from "../messages/sendings.ts";
import { Dictionary, OneOf } from "../primitives.ts";

// Who would get the messages of a campaign, counted before it is activated.

const { audience: _audience, held: _held, samples: _samples, ...counted } = Preflight.properties;

/** One message of a step, counted as if all of the people came to it now. */
const PreflightMessage = Type.Object({
  step_id: Type.String(),
  step_position: Type.Integer({ description: "0: the step's own message; 1: the first of `escalate`." }),
  channel: Channel,
  ...counted,
  waits: Dictionary(Type.Integer(), {
    description:
      "How many of `will_receive` get it later, because `marketing_limits` hold it back and the step waits: `held_by_limit`, `held_by_window`. With `when_held` `drop` they are in `excluded`.",
  }),
  samples: samplesOf("`will_receive`, `held_out`, and each reason in `excluded` and `waits`"),
});

export const CampaignPreflight = Type.Object({
  who: OneOf(["audience", "event", "date", "everybody"], {
    description:
      "Whom it counts, by the trigger. `audience`: the people who are in it now (also for a recurring trigger). `event`: those who did the event in the last 30 days. `date`: those who have the attribute. `everybody`: all people, because a call may start a run for anybody.",
  }),
  people: Type.Integer({ description: "How many these are." }),
  counted: Type.Integer({ description: "For how many of them the messages were counted: a sample of at most 10,000." }),
  estimate: Type.Boolean({ description: "Whether the numbers of `messages` are scaled up from a sample." }),
  messages: Type.Array(PreflightMessage, {
    description:
      "Each message of each step, in the order of the journey, as if all of these people came to it now. Branches, waits and earlier messages do not count.",
  }),
});
export type CampaignPreflight = Static<typeof CampaignPreflight>;
