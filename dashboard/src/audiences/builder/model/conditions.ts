import type { Comparison, Within } from "@tidings/contract/audience/audiences";
import type { ValueType } from "@tidings/contract/facts/catalog";
import { type Part, type Path, pointerOf, viewOf } from "./tree.ts";

type Fields = Record<string, unknown>;
type Op = Comparison["op"];

/** The kinds of conditions, each named by the field that it alone has. The last two are those of a campaign's branch. */
export const kinds = ["attribute", "event", "message", "subscribed", "audience", "trigger", "step"] as const;
export type Kind = (typeof kinds)[number];

// The lists of the contract, whose code is not loaded (docs/decisions/0045).
export const ops = [
  "eq",
  "ne",
  "in",
  "gt",
  "gte",
  "lt",
  "lte",
  "contains",
  "starts_with",
  "exists",
  "before",
  "after",
  "within_last",
] as const satisfies Op[];
export const bounds = ["gte", "lte", "eq", "gt", "lt"] as const;
export const units = ["days", "hours", "minutes"] as const;
export const channels = ["email", "push", "sms", "in_app"] as const;
export const behaviours = [
  "sent",
  "delivered",
  "shown",
  "opened",
  "clicked",
  "dismissed",
  "bounced",
  "complained",
  "unsubscribed",
  "failed",
] as const;
export const outcomes = ["sent", "seen", "clicked", "failed"] as const;

/** A comparison whose value may not be there yet. */
export type Draft = { op: Op; value?: unknown };

/** Returns a new condition. What has to be chosen is empty. */
export function fresh(kind: Kind, step = ""): Part {
  const made: Record<Kind, Fields> = {
    attribute: { attribute: "", op: "eq" },
    event: { event: "", op: "performed" },
    message: { message: "clicked", op: "performed" },
    subscribed: { subscribed: true },
    audience: { audience: "" },
    trigger: { trigger: "", op: "eq" },
    step: { step, op: "clicked" },
  };
  return made[kind] as unknown as Part;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);
const among = (list: readonly string[], value: unknown): boolean => isText(value) && list.includes(value);
const isWithin = (value: unknown): value is Within =>
  isObject(value) && fieldsAre(value, { amount: (one) => typeof one === "number", unit: (one) => among(units, one) });

type Check = (value: unknown) => boolean;
/** Whether an object has these fields, each as its check says, and no others. A name with `?` may be missing. */
function fieldsAre(fields: Fields, checks: Record<string, Check>): boolean {
  const known = new Map(Object.entries(checks).map(([name, check]) => [name.replace("?", ""), check]));
  if (Object.keys(fields).some((name) => !known.has(name))) return false;
  return Object.entries(checks).every(([name, check]) =>
    name.endsWith("?")
      ? (fields[name.slice(0, -1)] ?? undefined) === undefined || check(fields[name.slice(0, -1)])
      : check(fields[name]),
  );
}

function valueFits(op: unknown, value: unknown): boolean {
  if (value === undefined) return true;
  if (op === "in") return Array.isArray(value) && value.every(isScalar);
  if (op === "within_last") return isWithin(value);
  if (op === "exists") return typeof value === "boolean";
  if (among(["contains", "starts_with", "before", "after"], op)) return isText(value);
  if (among(["gt", "gte", "lt", "lte"], op)) return isText(value) || typeof value === "number";
  return isScalar(value);
}
const comparedBy = (subject: string, fields: Fields): boolean =>
  fieldsAre(fields, { [subject]: isText, op: (op) => among(ops, op), "value?": () => true }) &&
  valueFits(fields.op, fields.value);
const performing: Check = (op) => op === "performed" || op === "not_performed";
const isCount: Check = (count) =>
  isObject(count) &&
  Object.entries(count).every(([bound, n]) => among(bounds, bound) && (n === undefined || typeof n === "number"));
const isWhere: Check = (where) =>
  Array.isArray(where) && where.every((one) => isObject(one) && comparedBy("property", one));

const FITS: Record<Kind, (fields: Fields) => boolean> = {
  attribute: (fields) => comparedBy("attribute", fields),
  trigger: (fields) => comparedBy("trigger", fields),
  event: (fields) =>
    fieldsAre(fields, { event: isText, op: performing, "count?": isCount, "within?": isWithin, "where?": isWhere }),
  message: (fields) =>
    fieldsAre(fields, {
      message: (one) => among(behaviours, one),
      op: performing,
      "source_id?": isText,
      "channel?": (one) => among(channels, one),
      "within?": isWithin,
    }),
  subscribed: (fields) =>
    fieldsAre(fields, {
      subscribed: (one) => typeof one === "boolean",
      "channel?": (one) => among(channels, one),
      "topic?": isText,
    }),
  audience: (fields) => fieldsAre(fields, { audience: isText }),
  step: (fields) => fieldsAre(fields, { step: isText, op: (op) => among(outcomes, op) }),
};

/** Returns the kind of a condition; undefined where its fields can't show it: JSON that somebody typed. Such a condition stays as it is. */
export function kindOf(condition: unknown): Kind | undefined {
  if (!isObject(condition)) return undefined;
  const kind = kinds.find((one) => one in condition);
  return kind && FITS[kind](condition) ? kind : undefined;
}

/** Returns a comparison with another operator. The value stays where it means the same. */
export function withOp({ op: before, value, ...others }: Draft, op: Op): Draft {
  const kept = keptValue(before, value, op);
  return { ...others, op, ...(kept !== undefined && { value: kept }) };
}
function keptValue(before: Op, value: unknown, op: Op): unknown {
  if (op === "exists") return undefined;
  if (op === "in") return Array.isArray(value) ? value : isScalar(value) && before !== "exists" ? [value] : undefined;
  const one = Array.isArray(value) ? (value.length === 1 ? value[0] : undefined) : value;
  return before !== "exists" && valueFits(op, one) ? one : undefined;
}

const FOR: Record<ValueType, readonly Op[]> = {
  string: ["eq", "ne", "in", "contains", "starts_with", "gt", "gte", "lt", "lte", "exists"],
  number: ["eq", "ne", "in", "gt", "gte", "lt", "lte", "exists"],
  boolean: ["eq", "ne", "exists"],
  time: ["before", "after", "within_last", "eq", "ne", "in", "starts_with", "exists"],
  array: ["contains", "exists"],
  object: ["exists"],
};
/** Returns the operators that make sense for values of these types: all of them where no type is known. */
export function opsFor(types: readonly ValueType[] | undefined, current: Op): readonly Op[] {
  if (!types?.length) return ops;
  const wanted = new Set([current, ...types.flatMap((type) => FOR[type])]);
  return ops.filter((op) => wanted.has(op));
}

/** Whether a text is a time as the service reads it: ISO 8601 with its zone, or a date. */
export const isInstant = (text: unknown): boolean =>
  isText(text) &&
  /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text) &&
  !Number.isNaN(Date.parse(text));

const named = (value: unknown): boolean => isText(value) && value !== "";
function lacksValue({ op, value }: Fields): boolean {
  if (op === "exists") return false;
  if (op === "eq" || op === "ne") return value === undefined;
  if (op === "in") return !Array.isArray(value) || value.length === 0;
  if (op === "before" || op === "after") return !isInstant(value);
  if (op === "within_last") return !isWithin(value) || value.amount < 1;
  return value === undefined || value === "";
}

/** Returns the pointers of what is still to be filled in. While there are any, the service would refuse the filter. */
export function missingIn(part: Part, path: Path = []): string[] {
  const view = viewOf(part, path);
  if (view.kind === "not") return missingIn((part as { not: Part }).not, view.inner);
  if (view.kind === "group") {
    const empty = view.parts.length === 0 && view.list.at(-1) === "any" ? [pointerOf(view.list)] : [];
    return [...empty, ...view.parts.flatMap((one, i) => missingIn(one, [...view.list, i]))];
  }
  const { condition, at } = view;
  const kind = kindOf(condition);
  if (!kind) return [pointerOf(at)];
  const lacking: string[] = [];
  if (kind !== "subscribed" && !named(condition[kind])) lacking.push(kind);
  if ((kind === "attribute" || kind === "trigger") && lacksValue(condition)) lacking.push("value");
  const where = (condition.where ?? []) as Fields[];
  where.forEach((one, i) => {
    if (!named(one.property)) lacking.push(`where/${i}/property`);
    if (lacksValue(one)) lacking.push(`where/${i}/value`);
  });
  if (isObject(condition.count) && !Object.values(condition.count).some((n) => n !== undefined)) lacking.push("count");
  if (isWithin(condition.within) && condition.within.amount < 1) lacking.push("within/amount");
  return lacking.map((field) => `${pointerOf(at)}/${field}`);
}
