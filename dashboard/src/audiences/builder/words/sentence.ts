import type { Count, EventFilter, MessageFilter, SubscribedFilter, Within } from "@tidings/contract/audience/audiences";
import type { Say } from "../../../platform/language/texts.ts";
import { type Draft, isInstant, kindOf } from "../model/conditions.ts";
import { type Part, viewOf } from "../model/tree.ts";
import type { texts } from "./texts.ts";

/** What is needed to put a filter into words. */
export interface Speaking {
  t: Say<typeof texts>;
  /** The names of what the filter refers to, by id. */
  names: ReadonlyMap<string, string>;
  /** How a day or a moment is written. */
  instant: (iso: string) => string;
}
/** So many values of a list are named. */
const NAMED = 4;

/** Returns a filter as one sentence. */
export function sentenceOf(filter: Part | null, speaking: Speaking): string {
  const { t } = speaking;
  if (filter === null) return t("nobodyYet");
  const view = viewOf(filter, []);
  if (view.kind === "group" && view.mode === "all" && view.parts.length === 0) return t("all");
  return t("those", { what: clauseOf(filter, speaking) });
}

/** Returns a part of a filter as a clause. Groups within others are in brackets. */
export function clauseOf(part: Part, speaking: Speaking, inner = false): string {
  const { t } = speaking;
  const view = viewOf(part, []);
  if (view.kind === "not") return t("not", { what: clauseOf((part as { not: Part }).not, speaking) });
  if (view.kind === "condition") {
    const said = conditionIn(view.condition, speaking);
    return view.negated ? t("not", { what: said }) : said;
  }
  const isAll = view.mode === "all" || view.mode === "some_not";
  const isNot = view.mode === "none" || view.mode === "some_not";
  const { parts } = view;
  const clauses = parts.map((one) => clauseOf(one, speaking, parts.length > 1));
  const said = clauses.join(t(isAll ? "and" : "or")) || t(isAll ? "everybody" : "nobody");
  if (isNot) return t("not", { what: said });
  return inner && parts.length > 1 ? `(${said})` : said;
}

function conditionIn(condition: Record<string, unknown>, speaking: Speaking): string {
  const { t, names } = speaking;
  const named = (id: unknown) => t("quoted", { text: names.get(String(id)) ?? String(id) });
  switch (kindOf(condition)) {
    case "attribute":
      return compared(nameIn(condition.attribute, t), condition as unknown as Draft, speaking);
    case "trigger":
      return compared(t("ofTrigger", { name: nameIn(condition.trigger, t) }), condition as unknown as Draft, speaking);
    case "event":
      return eventIn(condition as unknown as EventFilter, speaking);
    case "message":
      return messageIn(condition as unknown as MessageFilter, speaking);
    case "subscribed": {
      const { subscribed, channel, topic } = condition as unknown as SubscribedFilter;
      const messages = t(`${channel ?? "any"}_messages`);
      const what = topic ? t("ofTopic", { what: messages, topic: named(topic) }) : messages;
      return t(subscribed ? "receives" : "receivesNot", { what });
    }
    case "audience":
      return t("inAudience", { audience: condition.audience ? named(condition.audience) : t("dots") });
    case "step":
      return t(`was_${condition.op as "seen"}`, { what: t("ofStep", { step: nameIn(condition.step, t) }), how: "" });
    default:
      return t("unknown");
  }
}

const nameIn = (name: unknown, t: Speaking["t"]): string => (name === "" ? t("dots") : String(name));

function valueIn(value: unknown, { t, instant }: Speaking): string {
  if (value === undefined || (typeof value === "object" && !Array.isArray(value))) return t("dots");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (Array.isArray(value)) {
    const said = value.slice(0, NAMED).map((one) => valueIn(one, { t, instant, names: new Map() }));
    const rest = value.length - NAMED;
    return [...said, ...(rest > 0 ? [t("more", { count: rest })] : [])].join(", ") || t("dots");
  }
  return typeof value === "string" ? t("quoted", { text: value }) : String(value);
}

/** "plan is “pro”". */
function compared(name: string, { op, value }: Draft, speaking: Speaking): string {
  const { t, instant } = speaking;
  if (op === "exists") return `${name} ${t(value === false ? "op_missing" : "op_exists")}`;
  if (op === "within_last") return t("isWithin", { name, span: value ? spanOf(value as Within, t) : t("dots") });
  const isTime = (op === "before" || op === "after") && isInstant(value);
  return `${name} ${t(`op_${op}`)} ${isTime ? instant(value as string) : valueIn(value, speaking)}`;
}

const spanOf = ({ amount, unit }: Within, t: Speaking["t"]): string => t(`last_${unit}`, { count: amount });
const timesOf = (count: Count, t: Speaking["t"]): string =>
  (["eq", "gt", "gte", "lt", "lte"] as const)
    .flatMap((bound) => (count[bound] === undefined ? [] : [t(`bound_${bound}`, { count: count[bound] })]))
    .join(t("and"));
const joined = (words: (string | undefined)[]): string =>
  words
    .filter(Boolean)
    .map((word) => ` ${word}`)
    .join("");

/** "order_placed (total is more than 10) happened at least 2 times in the last 30 days". */
function eventIn({ event, op, count, within, where }: EventFilter, speaking: Speaking): string {
  const { t } = speaking;
  const properties = (where ?? []).map((one) => compared(nameIn(one.property, t), one, speaking)).join(t("and"));
  const named = `${nameIn(event, t)}${properties && ` (${properties})`}`;
  const how = joined([count && timesOf(count, t), within && spanOf(within, t)]);
  if (op === "performed") return t("happened", { event: named, how });
  // The opposite of "twice" is not "did not happen twice", which reads as never.
  return count ? t("not", { what: t("happened", { event: named, how }) }) : t("didNot", { event: named, how });
}

/** "an email of “October” was clicked in the last 7 days". */
function messageIn({ message, op, source_id: source, channel, within }: MessageFilter, speaking: Speaking): string {
  const { t, names } = speaking;
  const one = t(`${channel ?? "any"}_${op === "performed" ? "one" : "none"}`);
  const what = source ? t("ofSource", { what: one, source: t("quoted", { text: names.get(source) ?? source }) }) : one;
  return t(`was_${message}`, { what, how: joined([within && spanOf(within, t)]) });
}
