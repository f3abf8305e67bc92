import type { Queries } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { type Windows, windows } from "../../platform/limits/windows.ts";
import type { Caller } from "../../workspaces/index.ts";
import { existingKeys } from "./store.ts";

// Everybody can get the public key of an application, and could fill the table with people by it. So each process counts the people
// that public keys create within an hour. A call for a person who exists costs an addition here and no statement.

const MOST_NEW = 10_000;
const HOUR_MS = 3_600_000;
const MOST_WORKSPACES = 100_000;

declare module "../../platform/ground.ts" {
  interface Ground {
    /** How many people the public keys of a workspace created within an hour. */
    newPeople: Windows;
  }
}

/** Creates the counts of new people by workspace. */
export const newPeopleWindows = (): Windows => windows(HOUR_MS, MOST_WORKSPACES);

/** How many people a caller may create. */
export interface NewPeopleLimit {
  workspaceId: string;
  /** People an hour; undefined for a secret key, whose people are not counted. */
  limit: number | undefined;
}

/** A person whom a caller names. */
export interface NamedPerson extends NewPeopleLimit {
  personId: string;
  personKey: string;
}

/** Returns how many people this caller may create. */
export const newPeopleLimit = ({ kind, workspace }: Pick<Caller, "kind" | "workspace">): NewPeopleLimit => ({
  workspaceId: workspace.id,
  limit: kind === "secret" ? undefined : (workspace.rate_limits.new_people_per_hour ?? MOST_NEW),
});

/**
 * Returns those of the named people who would be new and beyond the limit, by key, each with the error for the caller. The table is read
 * only if the limit might not suffice for all of them.
 */
export async function refusedNewPeople(
  q: Queries,
  counts: Windows,
  named: NamedPerson[],
): Promise<Map<string, Problem>> {
  const refused = new Map<string, Problem>();
  const limited = named.filter(({ limit }) => limit !== undefined);
  for (const [id, people] of Map.groupBy(limited, ({ workspaceId }) => workspaceId)) {
    const limit = people[0]?.limit ?? MOST_NEW;
    const { left, resetsInS } = counts.take(id, 0, limit);
    if (people.length <= left) continue;
    const keys = [...new Set(people.map(({ personKey }) => personKey))];
    const existing = await existingKeys(q, keys);
    const beyond = keys.filter((key) => !existing.has(key)).slice(left);
    for (const key of beyond) refused.set(key, refusal(limit, resetsInS));
  }
  return refused;
}

/** Counts people whom a public key of a workspace created. */
export const countNewPeople = (counts: Windows, workspaceId: string, n: number): void => {
  counts.take(workspaceId, n, Number.POSITIVE_INFINITY);
};

const refusal = (limit: number, resetsInS: number): Problem =>
  new Problem(
    "rate_limited",
    `This person is new, and the public keys of the workspace may create at most ${limit} people an hour. Create the person with a secret key, raise rate_limits.new_people_per_hour of the workspace, or repeat after ${resetsInS} s.`,
    { headers: { "retry-after": String(resetsInS) } },
  );
