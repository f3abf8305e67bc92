import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Difference } from "@tidings/contract/audit";
import { pointerPart } from "../http/index.ts";

/** An email's text may have 500,000 characters and is changed often: the log must not grow by two versions of it each time. */
const LONGEST = 2_048;
const EXCERPT = 256;
const MOST_DIFFERENCES = 200;

/** A value that the log must not hold: the log only says that it changed. Two are equal if what they were made from is equal. */
export class Secret {
  readonly #value: unknown;
  constructor(value: unknown) {
    this.#value = value;
  }
  is(other: unknown): boolean {
    return other instanceof Secret && isDeepStrictEqual(this.#value, other.#value);
  }
}

/** The fields that differ, with both values. `leftOut` counts those beyond the first 200. */
export interface Differences {
  changes: Difference[];
  leftOut: number;
}

/** Compares two states of a resource, field by field. Undefined stands for one that does not exist. */
export function differences(before: object | undefined, after: object | undefined): Differences {
  const [old, fresh] = [leavesOf(before), leavesOf(after)];
  const found: Difference[] = [];
  for (const field of new Set([...old.keys(), ...fresh.keys()])) {
    const [from, to] = [old.get(field), fresh.get(field)];
    if (from instanceof Secret ? from.is(to) : JSON.stringify(from) === JSON.stringify(to)) continue;
    found.push({
      field,
      ...(from !== undefined && { from: shown(from) }),
      ...(to !== undefined && { to: shown(to) }),
    });
  }
  return { changes: found.slice(0, MOST_DIFFERENCES), leftOut: Math.max(0, found.length - MOST_DIFFERENCES) };
}

/**
 * Returns the values in an object by their JSON pointers. A list of texts or numbers is one value. The values of HTTP headers count as
 * secrets, because many are.
 */
function leavesOf(value: unknown, pointer = "", leaves = new Map<string, unknown>()): Map<string, unknown> {
  const parts = partsOf(value);
  if (parts === undefined) {
    if (value !== undefined && pointer !== "") leaves.set(pointer, HEADER.test(pointer) ? new Secret(value) : value);
  } else for (const [name, part] of parts) leavesOf(part, `${pointer}/${pointerPart(name)}`, leaves);
  return leaves;
}

const HEADER = /\/headers\/[^/]+$/;

function partsOf(value: unknown): [string, unknown][] | undefined {
  if (typeof value !== "object" || value === null || value instanceof Secret) return undefined;
  if (Array.isArray(value) && !value.some((one) => typeof one === "object" && one !== null)) return undefined;
  const parts = Array.isArray(value) ? named(value) : Object.entries(value);
  return parts.length === 0 ? undefined : parts;
}

/** The elements by their ids, so that a new first step does not look like a change of every step; without ids by their places. */
function named(list: unknown[]): [string, unknown][] {
  const ids = list.map((one) => (one as { id?: unknown } | null)?.id);
  const distinct = ids.every((id) => typeof id === "string") && new Set(ids).size === ids.length;
  return list.map((one, place) => [distinct ? (ids[place] as string) : String(place), one]);
}

/** The value as the log keeps it: a long one only in part, with what tells it from others. */
function shown(value: unknown): unknown {
  if (value instanceof Secret) return "changed";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= LONGEST) return value;
  // Half of a surrogate pair can't be stored.
  const excerpt = text.slice(0, EXCERPT).replace(/[\ud800-\udbff]$/, "");
  return { excerpt, characters: text.length, sha256: hash("sha256", text) };
}
