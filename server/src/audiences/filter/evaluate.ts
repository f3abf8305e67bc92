import type {
  Comparison,
  ConditionFacts,
  ConditionResult,
  EventFilter,
  Filter,
  MessageFilter,
  PropertyFilter,
  SubscribedFilter,
} from "@tidings/contract/audience/audiences";
import type { Person } from "../../people/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { audienceOf, type FilterContext, within, withOperand } from "./context.ts";
import type { DeliveryFact, EventFact } from "./facts-store.ts";
import { SOURCES } from "./filter.ts";
import { before, instantOf } from "./instant.ts";
import { askedOf, boundsOf, named, shown, spanOf } from "./wording.ts";

/** The data of one person that filters can test. */
export interface PersonFacts {
  person: Person;
  events: EventFact[];
  deliveries: DeliveryFact[];
  /** Lists that the person is on. */
  lists: Set<string>;
  /** The names of messages' sources and topics that the filter names, by TypeID. A deleted one has none. */
  names: Map<string, string>;
  /** The default of each topic, by TypeID, for a person who never chose. A missing topic is off. */
  topics: Map<string, boolean>;
}

/**
 * Evaluates a filter for one person in plain TypeScript and returns the verdict of each condition. The result equals conditionOf in
 * filter-store.ts: a property test compares them.
 */
export function evaluate(filter: Filter, facts: PersonFacts, context: FilterContext): ConditionResult {
  const inner = (one: Filter): ConditionResult => evaluate(one, facts, context);
  if ("all" in filter) {
    const of = filter.all.map(inner);
    return { kind: "all", pass: of.every(({ pass }) => pass), ...tally(of), of };
  }
  if ("any" in filter) {
    const of = filter.any.map(inner);
    return { kind: "any", pass: of.some(({ pass }) => pass), ...tally(of), of };
  }
  if ("not" in filter) {
    const of = inner(filter.not);
    return {
      kind: "not",
      pass: !of.pass,
      detail: `what must not hold ${of.pass ? "holds" : "does not hold"}`,
      facts: {},
      of: [of],
    };
  }
  if ("attribute" in filter) {
    const value = attributeOf(facts.person, filter.attribute);
    const pass = compared(value, withOperand(filter.attribute, filter), context.now);
    const detail = `${filter.attribute} is ${shown(value)}, asked: ${askedOf(filter)}`;
    return leaf("attribute", pass, detail, { condition: filter, ...(value !== undefined && { value }) });
  }
  if ("event" in filter) return performed(filter, facts, context.now);
  if ("subscribed" in filter) return subscribed(filter, facts);
  if ("message" in filter) return behaved(filter, facts, context.now);
  const known = audienceOf(context.audiences, filter.audience);
  if (!known) return leaf("audience", false, "the audience is not there any more", { condition: filter });
  if (known.filter) {
    const of = inner(known.filter);
    const detail = `${of.pass ? "is" : "is not"} in ${known.name}`;
    return { kind: "audience", pass: of.pass, detail, facts: { name: known.name }, of: [of] };
  }
  const pass = facts.lists.has(known.id);
  return leaf("list", pass, `${pass ? "is" : "is not"} on the list ${known.name}`, { name: known.name });
}

const leaf = (
  kind: ConditionResult["kind"],
  pass: boolean,
  detail: string,
  facts: ConditionFacts,
): ConditionResult => ({ kind, pass, detail, facts, of: [] });

function tally(of: ConditionResult[]): Pick<ConditionResult, "detail" | "facts"> {
  const hold = of.filter(({ pass }) => pass).length;
  return { detail: `${hold} of ${of.length} conditions hold`, facts: { hold, total: of.length } };
}

const KNOWN = ["person_id", "email", "phone", "timezone", "locale", "subscribed"] as const;

/** Returns the value of an attribute, or undefined if the person does not have it. */
export function attributeOf(person: Person, name: string): unknown {
  if (name === "created_at") return person.created_at.toISOString();
  for (const known of KNOWN) if (known === name) return person[known] ?? undefined;
  return valueAt(person.attributes, name);
}

/** Returns the value of a name: the field with the whole name, otherwise the value at the path. Undefined where there is none, or null. */
export function valueAt(object: Record<string, unknown>, name: string): unknown {
  const own = (from: unknown, key: string): unknown =>
    typeof from === "object" && from !== null && !Array.isArray(from) && Object.hasOwn(from, key)
      ? (from as Record<string, unknown>)[key]
      : undefined;
  const whole = own(object, name);
  const value = whole === undefined ? name.split(".").reduce<unknown>(own, object) : whole;
  return value ?? undefined;
}

function compared(value: unknown, comparison: Comparison, now: Date): boolean {
  switch (comparison.op) {
    case "exists":
      return (value !== undefined) === (comparison.value ?? true);
    case "eq":
      return value === comparison.value;
    case "ne":
      return value !== comparison.value;
    case "in":
      return comparison.value.some((one) => one === value);
    case "gt":
      return order(value, comparison.value) > 0;
    case "gte":
      return order(value, comparison.value) >= 0;
    case "lt":
      return order(value, comparison.value) < 0;
    case "lte":
      return order(value, comparison.value) <= 0;
    case "contains":
      return (typeof value === "string" || Array.isArray(value)) && value.includes(comparison.value);
    case "starts_with":
      return typeof value === "string" && value.startsWith(comparison.value);
    case "before":
      return instant(value) < instant(comparison.value);
    case "after":
      return instant(value) > instant(comparison.value);
    case "within_last":
      return instant(value) >= before(now, comparison.value).getTime() && instant(value) <= now.getTime();
  }
}

/** Whether the properties of an event meet all conditions. */
export const propertiesMatch = (properties: Record<string, unknown>, where: PropertyFilter[], now: Date): boolean =>
  where.every((one) => compared(valueAt(properties, one.property), one, now));

/** Returns NaN for a value that is not a time: NaN is neither before nor after any time. */
const instant = (value: unknown): number => instantOf(value)?.getTime() ?? Number.NaN;

/** Compares numbers with numbers, and texts with texts by their bytes. Returns NaN for other pairs, which have no order. */
function order(value: unknown, operand: number | string): number {
  if (typeof value === "number" && typeof operand === "number") return value - operand;
  if (typeof value === "string" && typeof operand === "string")
    return Buffer.compare(Buffer.from(value), Buffer.from(operand));
  return Number.NaN;
}

function performed(filter: EventFilter, { events }: PersonFacts, now: Date): ConditionResult {
  const since = filter.within && before(now, filter.within);
  const count = events.filter(
    ({ name, ts, properties }) =>
      name === filter.event &&
      (since === undefined || ts >= since) &&
      propertiesMatch(properties, filter.where ?? [], now),
  ).length;
  const did = within(count, filter.count ?? { gte: 1 });
  const asked = `${filter.op === "performed" ? "" : "not "}${boundsOf(filter.count)}`;
  const matching = filter.where?.length ? " matching" : "";
  return leaf(
    "event",
    did === (filter.op === "performed"),
    `${count}${matching} ${filter.event}${spanOf(filter.within)}, asked: ${asked}`,
    { condition: filter, count },
  );
}

function subscribed(filter: SubscribedFilter, { person, topics, names }: PersonFacts): ConditionResult {
  const { subscribed: wanted, channel, topic } = filter;
  const state =
    person.subscribed &&
    (channel === undefined || person.preferences[channel] !== false) &&
    (topic === undefined || (person.preferences[topic] ?? topics.get(topic) ?? false));
  const to = channel || topic ? ` to ${[channel, topic && named(names, topic)].filter(Boolean).join(" and ")}` : "";
  return leaf("subscribed", state === wanted, `is ${state ? "" : "not "}subscribed${to}`, { condition: filter });
}

function behaved(filter: MessageFilter, { deliveries, names }: PersonFacts, now: Date): ConditionResult {
  const since = filter.within && before(now, filter.within);
  const did = deliveries.some((delivery) => {
    const at = happened(filter.message, delivery);
    return (
      at !== null &&
      (since === undefined || at >= since) &&
      (filter.channel === undefined || filter.channel === delivery.channel) &&
      (filter.source_id === undefined || isFrom(delivery, filter.source_id))
    );
  });
  const source = filter.source_id ? ` of ${named(names, filter.source_id)}` : "";
  const channel = filter.channel ? ` by ${filter.channel}` : "";
  const detail = `${did ? "a" : "no"} message${source}${channel} was ${filter.message}${spanOf(filter.within)}`;
  return leaf("message", did === (filter.op === "performed"), detail, { condition: filter });
}

/** The same conditions as BEHAVIOURS in filter-store.ts. */
function happened(message: MessageFilter["message"], delivery: DeliveryFact): Date | null {
  const { channel, status, queued_at, sent_at } = delivery;
  if (message === "failed") return ["failed", "suppressed"].includes(status) ? queued_at : null;
  if (message === "delivered") return delivery.delivered_at ?? delivery.shown_at;
  if (message !== "sent") return delivery[`${message}_at`];
  return channel !== "in_app" ? sent_at : status === "failed" ? null : queued_at;
}

function isFrom(delivery: DeliveryFact, id: string): boolean {
  const prefix = id.slice(0, id.indexOf("_")) as keyof typeof SOURCES;
  const uuid = decodeId(prefix, id);
  return prefix === "msg"
    ? delivery.message_id === uuid
    : delivery.source === SOURCES[prefix] && delivery.source_id === uuid;
}
