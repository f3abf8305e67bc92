import {
  audienceChannels,
  type Comparison,
  type Count,
  comparisonOps,
  countBounds,
  type Filter,
  filterLimits,
  messageBehaviours,
  type PropertyFilter,
  performing,
  type Within,
} from "@tidings/contract/audience/audiences";
import { badField } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { instantOf } from "./instant.ts";

/** The most conditions: nobody can read a larger filter, and the editor shows far fewer. Each costs up to 30 of 65,535 parameters. */
const MOST_CONDITIONS = 200;
/** The deepest nesting: as deep as JSON in requests, for filters that come by another way. */
const MOST_DEPTH = 32;
/** The most values in all `in` lists: reading 180,000, which a body can hold, and building the statement took 90 ms. */
const MOST_VALUES = 50_000;
const MOST_LEVELS = 8;
const UNITS = ["minutes", "hours", "days"] as const;

/** The kinds of a message's source, by the prefix of its id. */
export const SOURCES = { bc: "broadcast", cmp: "campaign", tx: "transactional", msg: "in_app_message" } as const;

type Fields = Record<string, unknown>;
interface Reading {
  conditions: number;
  /** The values of all `in` lists so far. */
  values: number;
  extra: ExtraReaders;
}
const newReading = (extra: ExtraReaders = {}): Reading => ({ conditions: 0, values: 0, extra });

/**
 * Kinds of conditions that another slice adds to those of audiences, by the field that names the kind. `"compared"`: the field names a
 * value, and `op` and `value` compare it.
 */
export type ExtraReaders = Record<string, "compared" | ((fields: Fields, pointer: string) => object)>;

/** Validates a filter from outside. @throws Problem invalid_request with a pointer to the condition that is wrong */
export const readFilter = (value: unknown, pointer: string): Filter => read(value, pointer, 0, newReading());

/** Validates a filter that may have more kinds of conditions. The limits count all of them. @throws Problem as readFilter */
export const readFilterWith = <F>(extra: ExtraReaders, value: unknown, pointer: string): F =>
  read(value, pointer, 0, newReading(extra)) as F;

/** Validates a list of conditions on an event's properties. @throws Problem as readFilter */
export const readWhere = (value: unknown, pointer: string): PropertyFilter[] => whereAt(value, pointer, newReading());

function read(value: unknown, pointer: string, depth: number, reading: Reading): Filter {
  if (depth === MOST_DEPTH) throw badField(pointer, `is nested deeper than ${MOST_DEPTH} levels`);
  const fields = objectAt(value, pointer);
  const possible = [...Object.keys(READERS), ...Object.keys(reading.extra)];
  const kinds = possible.filter((kind) => kind in fields);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    throw badField(pointer, `must have exactly one of ${possible.join(", ")}`);
  if (kind !== "all" && kind !== "any" && kind !== "not") counted(reading, pointer);
  if (kind in READERS) return READERS[kind as keyof typeof READERS](fields, pointer, depth, reading);
  const reader = reading.extra[kind] as ExtraReaders[string];
  return (reader === "compared" ? compared(kind, fields, pointer, reading) : reader(fields, pointer)) as Filter;
}

type Reader = (fields: Fields, pointer: string, depth: number, reading: Reading) => Filter;

const READERS = {
  all: (fields, pointer, depth, reading) => ({ all: branches("all", fields, { pointer, depth, reading }) }),
  any(fields, pointer, depth, reading) {
    const any = branches("any", fields, { pointer, depth, reading });
    if (any.length === 0) throw badField(`${pointer}/any`, "must name at least one condition");
    return { any };
  },
  not(fields, pointer, depth, reading) {
    only(fields, pointer, ["not"]);
    return { not: read(fields.not, `${pointer}/not`, depth + 1, reading) };
  },
  attribute: (fields, pointer, _depth, reading) => compared("attribute", fields, pointer, reading),
  event(fields, pointer, _depth, reading) {
    only(fields, pointer, ["event", "op", "count", "within", "where"]);
    const event = textAt(fields.event, `${pointer}/event`, filterLimits.names);
    return {
      event,
      op: oneOf(performing, fields.op, `${pointer}/op`),
      ...optional("count", fields, (count) => countAt(count, `${pointer}/count`)),
      ...optional("within", fields, (within) => withinAt(within, `${pointer}/within`)),
      ...optional("where", fields, (where) => whereAt(where, `${pointer}/where`, reading)),
    };
  },
  subscribed(fields, pointer) {
    only(fields, pointer, ["subscribed", "channel", "topic"]);
    if (typeof fields.subscribed !== "boolean") throw badField(`${pointer}/subscribed`, "must be true or false");
    return {
      subscribed: fields.subscribed,
      ...optional("channel", fields, (channel) => oneOf(audienceChannels, channel, `${pointer}/channel`)),
      ...optional("topic", fields, (topic) => idAt("top", topic, `${pointer}/topic`)),
    };
  },
  message(fields, pointer) {
    only(fields, pointer, ["message", "op", "source_id", "channel", "within"]);
    return {
      message: oneOf(messageBehaviours, fields.message, `${pointer}/message`),
      op: oneOf(performing, fields.op, `${pointer}/op`),
      ...optional("source_id", fields, (id) => sourceAt(id, `${pointer}/source_id`)),
      ...optional("channel", fields, (channel) => oneOf(audienceChannels, channel, `${pointer}/channel`)),
      ...optional("within", fields, (within) => withinAt(within, `${pointer}/within`)),
    };
  },
  audience(fields, pointer) {
    only(fields, pointer, ["audience"]);
    return { audience: idAt("aud", fields.audience, `${pointer}/audience`) };
  },
} satisfies Record<string, Reader>;

function branches(
  kind: "all" | "any",
  fields: Fields,
  { pointer, depth, reading }: { pointer: string; depth: number; reading: Reading },
): Filter[] {
  only(fields, pointer, [kind]);
  return listAt(fields[kind], `${pointer}/${kind}`).map((one, i) =>
    read(one, `${pointer}/${kind}/${i}`, depth + 1, reading),
  );
}

function whereAt(value: unknown, pointer: string, reading: Reading): PropertyFilter[] {
  return listAt(value, pointer).map((one, i) => {
    const at = `${pointer}/${i}`;
    counted(reading, at);
    return compared("property", objectAt(one, at), at, reading);
  });
}

function compared<S extends string>(subject: S, fields: Fields, pointer: string, reading: Reading) {
  only(fields, pointer, [subject, "op", "value"]);
  const name = nameAt(fields[subject], `${pointer}/${subject}`);
  return { [subject]: name, ...comparison(fields, pointer, reading) } as { [K in S]: string } & Comparison;
}

function comparison(fields: Fields, pointer: string, reading: Reading): Comparison {
  const op = oneOf(comparisonOps, fields.op, `${pointer}/op`);
  const { value } = fields;
  const at = `${pointer}/value`;
  switch (op) {
    case "eq":
    case "ne":
      return { op, value: scalarAt(value, at) };
    case "in": {
      const values = listAt(value, at);
      if (values.length < 1 || values.length > filterLimits.values)
        throw badField(at, `must have 1 to ${filterLimits.values} values`);
      reading.values += values.length;
      if (reading.values > MOST_VALUES)
        throw badField(at, `takes the filter over ${MOST_VALUES} values in all: make a list of these people`);
      return { op, value: values.map((one, i) => scalarAt(one, `${at}/${i}`)) };
    }
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      if (typeof value === "number") return { op, value };
      if (typeof value === "string") return { op, value: textAt(value, at, filterLimits.texts) };
      throw badField(at, "must be a number or a text");
    case "contains":
    case "starts_with":
      return { op, value: textAt(value, at, filterLimits.texts) };
    case "exists":
      if (value === undefined) return { op };
      if (typeof value !== "boolean") throw badField(at, "must be true or false, or be left out");
      return { op, value };
    case "before":
    case "after":
      if (instantOf(value) === undefined)
        throw badField(at, "must be an ISO 8601 time such as 2026-01-31T12:00:00Z, or a date such as 2026-01-31");
      return { op, value: value as string };
    case "within_last":
      return { op, value: withinAt(value, at) };
  }
}

function countAt(value: unknown, pointer: string): Count {
  const fields = objectAt(value, pointer);
  only(fields, pointer, countBounds);
  const bounds = Object.entries(fields);
  if (bounds.length === 0) throw badField(pointer, `must have at least one of ${countBounds.join(", ")}`);
  for (const [bound, number] of bounds) {
    if (!Number.isInteger(number) || (number as number) < 0 || (number as number) > 1_000_000)
      throw badField(`${pointer}/${bound}`, "must be a whole number from 0 to 1000000");
  }
  return fields as Count;
}

function withinAt(value: unknown, pointer: string): Within {
  const fields = objectAt(value, pointer);
  only(fields, pointer, ["amount", "unit"]);
  const { amount } = fields;
  if (!Number.isInteger(amount) || (amount as number) < 1 || (amount as number) > 100_000)
    throw badField(`${pointer}/amount`, "must be a whole number from 1 to 100000");
  return { amount: amount as number, unit: oneOf(UNITS, fields.unit, `${pointer}/unit`) };
}

function sourceAt(value: unknown, pointer: string): string {
  for (const prefix of Object.keys(SOURCES) as (keyof typeof SOURCES)[])
    if (typeof value === "string" && decodeId(prefix, value)) return value;
  throw badField(pointer, "must be the id of a broadcast, campaign, transactional or in-app message");
}

function counted(reading: Reading, pointer: string): void {
  if (++reading.conditions > MOST_CONDITIONS)
    throw badField(pointer, `is one condition too many: a filter has at most ${MOST_CONDITIONS}`);
}

function objectAt(value: unknown, pointer: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badField(pointer, "must be an object");
  return value as Fields;
}

function listAt(value: unknown, pointer: string): unknown[] {
  if (!Array.isArray(value)) throw badField(pointer, "must be a list");
  return value;
}

function only(fields: Fields, pointer: string, names: readonly string[]): void {
  for (const name of Object.keys(fields))
    if (!names.includes(name)) throw badField(`${pointer}/${name}`, "is not a known field here");
}

function textAt(value: unknown, pointer: string, most: number): string {
  if (typeof value !== "string" || value.length < 1 || value.length > most)
    throw badField(pointer, `must be a text of 1 to ${most} characters`);
  return value;
}

function nameAt(value: unknown, pointer: string): string {
  const name = textAt(value, pointer, filterLimits.names);
  if (name.split(".").length > MOST_LEVELS) throw badField(pointer, `must have at most ${MOST_LEVELS} levels`);
  return name;
}

function scalarAt(value: unknown, pointer: string): string | number | boolean {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "string" && value.length <= filterLimits.texts) return value;
  throw badField(pointer, `must be a text of at most ${filterLimits.texts} characters, a number, true or false`);
}

function oneOf<const T extends readonly string[]>(values: T, value: unknown, pointer: string): T[number] {
  if (typeof value !== "string" || !values.includes(value))
    throw badField(pointer, `must be one of ${values.join(", ")}`);
  return value;
}

function idAt(prefix: "aud" | "top", value: unknown, pointer: string): string {
  if (typeof value !== "string" || !decodeId(prefix, value))
    throw badField(pointer, `must be the id of ${prefix === "aud" ? "an audience" : "a topic"} of this workspace`);
  return value;
}

const optional = <K extends string, T>(name: K, fields: Fields, reader: (value: unknown) => T): { [P in K]?: T } =>
  (fields[name] === undefined ? {} : { [name]: reader(fields[name]) }) as { [P in K]?: T };
