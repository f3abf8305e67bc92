import type { Queries } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { type Windows, windows } from "../../platform/limits/windows.ts";
import { type Caller, personKey } from "../../workspaces/index.ts";
import { knownKeys } from "./store.ts";

// A public key is in everybody's hands: whoever has it could fill the table with people. Counted an hour and process, of what was
// made: people who are known cost nothing here but an addition.

const MOST_NEW = 10_000;
const HOUR_MS = 3_600_000;
const MOST_WORKSPACES = 100_000;

declare module "../../platform/ground.ts" {
  interface Ground {
    /** How many people the public keys of a workspace made within an hour. */
    newPeople: Windows;
  }
}

/** Counts for each workspace the people whom its public keys made. */
export const newPeopleWindows = (): Windows => windows(HOUR_MS, MOST_WORKSPACES);

/** How many people this caller's keys may make an hour; undefined for a secret key, whose people are not counted. */
export const mostNew = ({ kind, workspace }: Pick<Caller, "kind" | "workspace">): number | undefined =>
  kind === "secret" ? undefined : (workspace.rate_limits.new_people_per_hour ?? MOST_NEW);

/** A person whom a caller names. */
export interface Named {
  workspaceId: string;
  personId: string;
  /** See mostNew. */
  most: number | undefined;
}

/**
 * Of people who are about to be named those who would be new and find no room, by key. Who is known is asked only where not
 * all might find room.
 */
export async function turnedAway(q: Queries, counts: Windows, named: Named[]): Promise<Map<string, Problem>> {
  const away = new Map<string, Problem>();
  const ofPublicKeys = named.filter(({ most }) => most !== undefined);
  for (const [id, people] of Map.groupBy(ofPublicKeys, ({ workspaceId }) => workspaceId)) {
    const most = people[0]?.most ?? MOST_NEW;
    const { left, resetsInS } = counts.take(id, 0, most);
    if (people.length <= left) continue;
    const keys = [...new Set(people.map(({ personId }) => personKey(id, personId)))];
    const known = await knownKeys(q, keys);
    const beyond = keys.filter((key) => !known.has(key)).slice(left);
    for (const key of beyond) away.set(key, refusal(most, resetsInS));
  }
  return away;
}

/** In whose name a device is registered. */
export const makerOf = (caller: Caller): Omit<Named, "personId"> => ({
  workspaceId: caller.workspace.id,
  most: mostNew(caller),
});

/** Counts people whom a public key of a workspace made. */
export const countMade = (counts: Windows, workspaceId: string, n: number): void => {
  counts.take(workspaceId, n, Number.POSITIVE_INFINITY);
};

const refusal = (most: number, resetsInS: number): Problem =>
  new Problem(
    "rate_limited",
    `This person is new, and public keys of the workspace make at most ${most} new people an hour. Make them with a secret key, raise rate_limits.new_people_per_hour of the workspace, or repeat after ${resetsInS} s.`,
    { headers: { "retry-after": String(resetsInS) } },
  );
