import type { Filter } from "@tidings/contract/audience/audiences";
import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import { conditionsOf } from "../../audiences/index.ts";
import { durationMs } from "../../platform/time/duration.ts";

/** Returns the filter of a campaign's audience trigger; undefined for other triggers. */
export function audienceOf({ trigger }: CampaignDefinition): Filter | undefined {
  if (trigger.type !== "audience") return undefined;
  return trigger.audience_id === undefined
    ? (trigger.audience as Filter | undefined)
    : { audience: trigger.audience_id };
}

/** The events that may change who matches a filter. It may contain too many events and never too few. */
export interface Touches {
  /** Whether any event may: the filter refers to other audiences. */
  all: boolean;
  events: Set<string>;
}

/** Returns the events that may change who matches a filter. */
export function touchesOf(filter: Filter): Touches {
  const found: Touches = { all: false, events: new Set() };
  for (const one of conditionsOf(filter)) {
    if ("event" in one) found.events.add(one.event);
    else if ("audience" in one) found.all = true;
  }
  return found;
}

/** What may change who matches a filter without a change of a person, a list or a new event. */
export interface Drift {
  /** Whether only an evaluation of everybody finds them. */
  everybody: boolean;
  /** Events that count for some time only. */
  events: { name: string; withinMs: number }[];
  /** Attributes with a time that must be in the last hours or days. */
  attributes: { name: string; withinMs: number }[];
  /** Whether the outcome of a message may. */
  messages: boolean;
}

/**
 * Returns what time and messages may change. Changes of people, events and lists are heard as they happen. There is no index by which
 * to find the outcomes of messages that become too old, nor the properties of events with a time in them.
 * @param conditions the conditions of the filter and of all audiences that it names
 */
export function driftOf(conditions: Filter[]): Drift {
  const found: Drift = { everybody: false, events: [], attributes: [], messages: false };
  for (const one of conditions) {
    if ("event" in one) {
      if (one.where?.some(({ op }) => op === "within_last")) found.everybody = true;
      if (one.within) found.events.push({ name: one.event, withinMs: durationMs(one.within) });
    } else if ("attribute" in one && one.op === "within_last") {
      found.attributes.push({ name: one.attribute, withinMs: durationMs(one.value) });
    } else if ("message" in one) {
      found.messages = true;
      if (one.within) found.everybody = true;
    }
  }
  return found;
}
