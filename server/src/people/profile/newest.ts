import type { Change } from "./attributes.ts";

// The newest `ts` wins, for each attribute by itself: what a phone kept while it was offline does not undo what came since.

/** When attributes were said, by name, in milliseconds since 1970; under "" for all that are there and not named. */
export type Times = Record<string, number>;

/** What is kept of a person's attributes, to hold a change from another time against. */
export interface Known {
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

/** A name in the times. A claim has one that no attribute can have: somebody may call an attribute `claimed_email`. */
const timed = (column: Column): string => (column.startsWith("claimed_") ? `\t${column}` : column);

const BY_NAME = new Map(COLUMNS.map((column) => [timed(column), column]));
/** What is said now is newer than all that has a time. */
const NOW = Number.POSITIVE_INFINITY;

/** What a change says of one name; undefined as the value removes an attribute. */
interface Word {
  name: string;
  value: unknown;
  /** Undefined: now. */
  ms: number | undefined;
  /** Of an address. */
  verified?: boolean | undefined;
}

function wordsIn(change: Change): Word[] {
  const words: Word[] = [];
  const say = (name: string, value: unknown, verified?: boolean) =>
    words.push({ name, value, ms: change.times?.[name], verified });
  for (const column of COLUMNS) {
    const verified = column === "email" || column === "phone" ? change[`${column}_verified`] : undefined;
    if (change[column] !== undefined) say(timed(column), change[column], verified);
  }
  for (const [name, value] of Object.entries(change.set)) say(name, value);
  for (const name of change.removed) say(name, undefined);
  return words;
}

function changeOf(words: Iterable<Word>): Change {
  const known: Record<string, unknown> = {};
  const set: [string, unknown][] = [];
  const removed: string[] = [];
  const times: [string, number][] = [];
  for (const { name, value, ms, verified } of words) {
    const column = BY_NAME.get(name);
    if (column) known[column] = value;
    else if (value === undefined) removed.push(name);
    else set.push([name, value]);
    if (verified !== undefined) known[`${column}_verified`] = verified;
    if (ms !== undefined) times.push([name, ms]);
  }
  return {
    ...known,
    set: Object.fromEntries(set),
    removed,
    ...(times.length > 0 && { times: Object.fromEntries(times) }),
  };
}

/** A change that was said at another time than now. */
export const saidAt = (change: Change, ms: number): Change =>
  changeOf(wordsIn(change).map((word) => ({ ...word, ms })));

/** Changes of one person as one: name by name the newest wins, and of two of one time the later call. */
export function combined(changes: Change[]): Change {
  const [first] = changes;
  if (changes.length === 1 && first) return first;
  const said = new Map<string, Word>();
  for (const change of changes)
    for (const word of wordsIn(change)) {
      const before = said.get(word.name);
      if (!before || (before.ms ?? NOW) <= (word.ms ?? NOW)) said.set(word.name, word);
    }
  return changeOf(said.values());
}

/** Of a change from another time what is not older than what is known. What nobody ever said is older than anything. */
export function newest(change: Change, known: Known): Change {
  return changeOf(wordsIn(change).filter(({ name, ms = NOW }) => (timeOf(known, name) ?? ms) <= ms));
}

function timeOf(known: Known, name: string): number | undefined {
  const { attribute_times: times, attributes, identified_at } = known;
  if (times && Object.hasOwn(times, name)) return times[name];
  const column = BY_NAME.get(name);
  // Subscribed is what everybody is who never said anything.
  const there =
    column === "subscribed" ? !known.subscribed : column ? known[column] !== null : Object.hasOwn(attributes, name);
  return there ? (times?.[""] ?? identified_at.getTime()) : undefined;
}

/** What is kept of the times of a change to somebody who is known. */
export function timesOf(change: Change, now: Date): Times {
  return Object.fromEntries(wordsIn(change).map(({ name, ms }) => [name, ms ?? now.getTime()]));
}

/** The same of somebody who is new: short, as nearly all was said at one time. */
export function firstTimes(change: Change, now: Date): Times {
  const named = [...change.removed, ...(change.subscribed === undefined ? [] : ["subscribed"])];
  return {
    "": now.getTime(),
    ...Object.fromEntries(named.map((name) => [name, now.getTime()])),
    ...change.times,
  };
}

/** The times of two people who become one, with those of the source for what only the source had. */
export function mergedTimes(target: Known, source: Known): Times {
  const times: Times = {
    "": target.attribute_times?.[""] ?? target.identified_at.getTime(),
    ...target.attribute_times,
  };
  const names = [
    ...COLUMNS.map(timed),
    ...Object.keys(source.attributes),
    ...Object.keys(source.attribute_times ?? {}),
  ];
  for (const name of names) {
    const theirs = name === "" ? undefined : timeOf(source, name);
    if (theirs !== undefined && timeOf(target, name) === undefined) times[name] = theirs;
  }
  return times;
}
