import type { Queries } from "../../platform/db/index.ts";
import { begunSince } from "../run/facts-store.ts";

/** The most runs of a person in a minute. It ends campaigns that start each other, or that put people into each other's audiences. */
const MOST_RUNS = 100;
const MINUTE_MS = 60_000;

/** Returns those of these people who began so many runs in the last minute that steps and audiences let them in no further. */
export async function tooOften(q: Queries, personKeys: string[], now: Date): Promise<Set<string>> {
  const begun = await begunSince(q, personKeys, new Date(now.getTime() - MINUTE_MS));
  return new Set(begun.filter(({ count }) => count >= MOST_RUNS).map((one) => one.person_key));
}
