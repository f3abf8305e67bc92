import type { Change } from "./attributes.ts";

// The newest `ts` wins, for each attribute by itself: a report that a phone kept while it was offline does not undo newer reports.

/** When attributes were reported, by name, in milliseconds since 1970. The time under "" is that of all stored attributes that have none of their own. */
export type Times = Record<string, number>;

/** A person's stored attributes with their times, which an earlier report is compared with. */
export interface StoredAttributes {
  email: string | null;
  phone: string | null;
  timezone: string | null;
  locale: string | null;
  subscribed: boolean;
  claimed_email: string | null;
  claimed_phone: string | null;
  attributes: Record<string, unknown>;
  attribute_times: Times | null;
  identified_at: Date;
}

const COLUMNS = ["email", "phone", "timezone", "locale", "subscribed", "claimed_email", "claimed_phone"] as const;
type Column = (typeof COLUMNS)[number];

/** The name of a column in the times. A claim has a name that no attribute can have, because an attribute may be called `claimed_email`. */
const timeName = (column: Column): string => (column.startsWith("claimed_") ? `\t${column}` : column);

const BY_NAME = new Map(COLUMNS.map((column) => [timeName(column), column]));
/** A report of now is newer than every report with a time. */
const NOW = Number.POSITIVE_INFINITY;

/** The change of one attribute. */
interface AttributeChange {
  name: string;
  /** Undefined removes the attribute. */
  value: unknown;
  /** When it was reported; undefined means now. */
  ms: number | undefined;
  /** Only for an email or a phone number. */
  verified?: boolean | undefined;
}

function partsOf(change: Change): AttributeChange[] {
  const parts: AttributeChange[] = [];
  const add = (name: string, value: unknown, verified?: boolean) =>
    parts.push({ name, value, ms: change.times?.[name], verified });
  for (const column of COLUMNS) {
    const verified = column === "email" || column === "phone" ? change[`${column}_verified`] : undefined;
    if (change[column] !== undefined) add(timeName(column), change[column], verified);
  }
  for (const [name, value] of Object.entries(change.set)) add(name, value);
  for (const name of change.removed) add(name, undefined);
  return parts;
}

function changeOf(parts: Iterable<AttributeChange>): Change {
  const columns: Record<string, unknown> = {};
  const set: [string, unknown][] = [];
  const removed: string[] = [];
  const times: [string, number][] = [];
  for (const { name, value, ms, verified } of parts) {
    const column = BY_NAME.get(name);
    if (column) columns[column] = value;
    else if (value === undefined) removed.push(name);
    else set.push([name, value]);
    if (verified !== undefined) columns[`${column}_verified`] = verified;
    if (ms !== undefined) times.push([name, ms]);
  }
  return {
    ...columns,
    set: Object.fromEntries(set),
    removed,
    ...(times.length > 0 && { times: Object.fromEntries(times) }),
  };
}

/** Returns the change with the time at which it was reported. */
export const reportedAt = (change: Change, ms: number): Change =>
  changeOf(partsOf(change).map((part) => ({ ...part, ms })));

/** Combines changes of one person: the newest change of each attribute wins, and of two with the same time the later call. */
export function combined(changes: Change[]): Change {
  const [first] = changes;
  if (changes.length === 1 && first) return first;
  const winners = new Map<string, AttributeChange>();
  for (const change of changes)
    for (const part of partsOf(change)) {
      const before = winners.get(part.name);
      if (!before || (before.ms ?? NOW) <= (part.ms ?? NOW)) winners.set(part.name, part);
    }
  return changeOf(winners.values());
}

/** Returns the part of an earlier change that is not older than the stored attributes. An attribute that nobody ever reported is older than any. */
export function newest(change: Change, stored: StoredAttributes): Change {
  return changeOf(partsOf(change).filter(({ name, ms = NOW }) => (timeOf(stored, name) ?? ms) <= ms));
}

function timeOf(stored: StoredAttributes, name: string): number | undefined {
  const { attribute_times: times, attributes, identified_at } = stored;
  if (times && Object.hasOwn(times, name)) return times[name];
  const column = BY_NAME.get(name);
  // True is the default of `subscribed`, so only false was certainly reported.
  const reported =
    column === "subscribed" ? !stored.subscribed : column ? stored[column] !== null : Object.hasOwn(attributes, name);
  return reported ? (times?.[""] ?? identified_at.getTime()) : undefined;
}

/** Returns the times to store for a change of a person who exists. */
export function timesOf(change: Change, now: Date): Times {
  return Object.fromEntries(partsOf(change).map(({ name, ms }) => [name, ms ?? now.getTime()]));
}

/** Returns the times to store for a new person: nearly all attributes were reported at one time, which is stored once. */
export function firstTimes(change: Change, now: Date): Times {
  const named = [...change.removed, ...(change.subscribed === undefined ? [] : ["subscribed"])];
  return {
    "": now.getTime(),
    ...Object.fromEntries(named.map((name) => [name, now.getTime()])),
    ...change.times,
  };
}

/** Returns the times after a merge: those of the target, and those of the source for attributes that only the source had. */
export function mergedTimes(target: StoredAttributes, source: StoredAttributes): Times {
  const times: Times = {
    "": target.attribute_times?.[""] ?? target.identified_at.getTime(),
    ...target.attribute_times,
  };
  const names = [
    ...COLUMNS.map(timeName),
    ...Object.keys(source.attributes),
    ...Object.keys(source.attribute_times ?? {}),
  ];
  for (const name of names) {
    const theirs = name === "" ? undefined : timeOf(source, name);
    if (theirs !== undefined && timeOf(target, name) === undefined) times[name] = theirs;
  }
  return times;
}
