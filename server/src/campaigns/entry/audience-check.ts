import { conditionFor } from "../../audiences/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { newId } from "../../platform/ids.ts";
import type { EntranceIndex } from "../definition/entrances.ts";
import type { Published } from "../definition/published.ts";
import { takeChecks, updateMembers } from "../audience/members-store.ts";
import { audienceOf } from "../rules/touches.ts";
import { enter } from "./enter.ts";
import { followPeople } from "./follow.ts";
import { tooOften } from "./pace.ts";

/** The most people that one statement checks or lets in. */
export const PAGE = 1_000;

/** Checks people whose data changed: who enters, and whose runs wait for another time now. Returns whether there were any. */
export function checkPeople(
  { workDb, clock }: Pick<Ground, "workDb" | "clock">,
  index: EntranceIndex,
): Promise<boolean> {
  return workDb.transaction(async (tx) => {
    const checks = await takeChecks(tx, PAGE);
    if (checks.length === 0) return false;
    const now = clock.now();
    const byWorkspace = Map.groupBy(checks, (check) => check.workspace_id);
    const known = await index.load(tx, [...byWorkspace.keys()]);
    const changed = [...known].map(([workspaceId, entrances]) => {
      const theirs = byWorkspace.get(workspaceId) ?? [];
      return { workspaceId, personKeys: [...new Set(theirs.map((check) => check.person_key))], entrances };
    });
    for (const { personKeys, entrances } of changed) {
      for (const published of entrances.byAudience) {
        const condition = await conditionOf(tx, published, now, "one by one");
        // The sweep logs an audience that can't be evaluated.
        if (condition instanceof Problem) continue;
        const entered = await updateMembers(tx, published, { condition, personKeys }, now);
        await enterWith(tx, published, entered, now);
      }
    }
    // Last, because it locks runs until the commit.
    for (const one of changed) await followPeople(tx, one, now);
    return true;
  });
}

/** Returns the condition of a campaign's audience, or the Problem that prevents its evaluation. */
export async function conditionOf(
  tx: Tx,
  { workspaceId, definition }: Published,
  now: Date,
  manner: "everyone" | "one by one",
) {
  const filter = audienceOf(definition);
  if (!filter) return new Problem("not_found", "The campaign has no audience.");
  try {
    return await conditionFor(tx, workspaceId, { filter, now }, manner);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Lets people in who entered the audience of a campaign, but nobody who enters too often: steps may change audiences, and so let a person in for ever. */
export async function enterWith(tx: Tx, published: Published, personKeys: string[], now: Date): Promise<void> {
  if (personKeys.length === 0) return;
  const often = await tooOften(tx, personKeys, now);
  const candidates = personKeys
    .filter((personKey) => !often.has(personKey))
    .map((personKey) => ({ published, personKey, cause: `audience ${newId()}`, data: {} }));
  if (candidates.length > 0) await enter(tx, candidates, now);
}
