import type { PropertyFilter } from "@tidings/contract/audience/audiences";
import type { CampaignDefinition, Goal } from "@tidings/contract/campaigns/campaigns";
import type { StepOf } from "@tidings/contract/campaigns/steps";
import type { Static } from "typebox";
import { propertiesMatch } from "../../audiences/index.ts";
import { durationMs } from "../../platform/time/duration.ts";

// What an event means for a campaign and its runs: it lets its person in, ends runs, reaches goals, and ends waits.

/** An event of a person. `ts` is when it happened, which may be long before it was recorded. */
export interface HappenedEvent {
  name: string;
  properties: Record<string, unknown>;
  ts: Date;
}

/** Returns whether an event matches conditions, which were validated when the campaign was saved. */
const matches = ({ properties }: HappenedEvent, where: Record<string, unknown>[] | undefined, now: Date): boolean =>
  where === undefined || propertiesMatch(properties, where as PropertyFilter[], now);

/** Returns the key of an event's property `cancellation_key`. It names runs, as the field of the same name does in a call. */
export function cancellationKeyOf({ properties }: HappenedEvent): string | undefined {
  const key = properties.cancellation_key;
  return typeof key === "string" && key.length > 0 && key.length <= 200 ? key : undefined;
}

/** Why an event with the name of the trigger lets nobody in. */
export type NoEntry = "event_too_old" | "where";

/** Returns why an event with the name of the trigger lets its person not in; undefined where it does, if `reentry` allows it. */
export function noEntryBy(
  { trigger, entry_max_age }: CampaignDefinition,
  event: HappenedEvent,
  now: Date,
): NoEntry | undefined {
  if (event.ts.getTime() < now.getTime() - durationMs(entry_max_age)) return "event_too_old";
  return trigger.type !== "event" || matches(event, trigger.where, now) ? undefined : "where";
}

/** Whether an event with the name of `cancel_on` ends the person's runs, or those with its key. */
export const cancels = ({ cancel_on }: CampaignDefinition, event: HappenedEvent, now: Date): boolean =>
  matches(event, cancel_on?.where, now);

/** Whether an event with the name of the goal is the goal. */
export const isGoal = ({ where }: Static<typeof Goal>, event: HappenedEvent, now: Date): boolean =>
  matches(event, where, now);

/** Returns whether an event ends the waiting of a run at a step. The run's times are times of the service's clock. */
export function endsWait(
  step: StepOf<"wait_until">,
  event: HappenedEvent,
  run: { entered_at: Date; stepped_at: Date },
  now: Date,
): boolean {
  const since = step.counts_from === "entry" ? run.entered_at : run.stepped_at;
  return event.name === step.event && event.ts >= since && matches(event, step.where, now);
}
