import { conditionFor, roomToCount } from "../../audiences/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { newId } from "../../platform/ids.ts";
import { type Loop, startLoop } from "../../platform/work/loop.ts";
import type { CampaignsGround, EntranceIndex } from "../definition/entrances.ts";
import { type Published, publishedOf } from "../definition/published.ts";
import {
  addMembers,
  dropMembers,
  moveSweep,
  newMembers,
  type Sweep,
  takeChecks,
  takeSweep,
  updateMembers,
} from "../run/members-store.ts";
import { AUDIENCE_WORK, audienceOf } from "../run/watch.ts";
import { enter } from "./enter.ts";

/** The poll finds due sweeps, checks of dead processes, and work whose signal was lost. */
const POLL_MS = 1_000;
/** The most people that one transaction checks, and the most that it lets in. */
const PAGE = 1_000;
/** The time between two sweeps: people who enter an audience because time passes are found within it. */
const SWEEP_MS = 60_000;
/** After a sweep the loop rests 4 times as long as the sweep took, so that sweeps use at most a fifth of a connection. */
const REST = 4;
/** The pause after a failed sweep, whose filter may take too long. */
const FAILED_MS = 300_000;

/** Starts the loop that finds people who enter the audiences of campaigns. */
export function startAudiences(ground: CampaignsGround): Loop {
  return startLoop(ground, {
    what: "audiences of campaigns",
    wakeOn: { [AUDIENCE_WORK]: () => true },
    round: async () => {
      const checked = await checkPeople(ground, ground.entrances);
      const swept = await sweepPage(ground);
      return checked || swept ? 0 : POLL_MS;
    },
    graceMs: 4_000,
  });
}

/** Checks people whose data changed. Returns whether there were any. */
export function checkPeople(
  { workDb, clock }: Pick<Ground, "workDb" | "clock">,
  index: EntranceIndex,
): Promise<boolean> {
  return workDb.transaction(async (tx) => {
    const checks = await takeChecks(tx, PAGE);
    if (checks.length === 0) return false;
    const now = clock.now();
    const byWorkspace = Map.groupBy(checks, (check) => check.workspace_id);
    const entrances = await index.load(tx, [...byWorkspace.keys()]);
    for (const [workspaceId, theirs] of byWorkspace) {
      const personKeys = [...new Set(theirs.map((check) => check.person_key))];
      for (const published of entrances.get(workspaceId)?.byAudience ?? []) {
        const condition = await conditionOf(tx, published, now, "one by one");
        // The sweep logs an audience that can't be evaluated.
        if (condition instanceof Problem) continue;
        const entered = await updateMembers(tx, published, { condition, personKeys }, now);
        await enterWith(tx, published, entered, now);
      }
    }
    return true;
  });
}

/**
 * Carries out one page of the sweep that is due. It finds people who are in an audience and are not recorded as members, in the order of
 * their keys. After the last page it removes members who left, so that they can enter again. Returns whether a sweep was due.
 */
export async function sweepPage({ workDb, clock, log }: Pick<Ground, "workDb" | "clock" | "log">): Promise<boolean> {
  const now = clock.now();
  let taken: Sweep | undefined;
  try {
    return await workDb.transaction(async (tx) => {
      taken = await takeSweep(tx, now);
      if (taken) await sweep(tx, taken, now);
      return taken !== undefined;
    });
  } catch (error) {
    const failed = taken;
    if (!failed) throw error;
    log.warn({ err: String(error), campaign: failed.campaign_id }, "an audience of a campaign could not be searched");
    const next = { afterKey: null, startedAt: null, dueAt: new Date(now.getTime() + FAILED_MS) };
    await workDb.transaction((tx) => moveSweep(tx, failed, next));
    return true;
  }
}

async function sweep(tx: Tx, taken: Sweep, now: Date): Promise<void> {
  const begun = performance.now();
  const of = { workspaceId: taken.workspace_id, campaignId: taken.campaign_id };
  const published = await publishedOf(tx, of.workspaceId, of.campaignId, taken.graph);
  if (!published) throw new Error("the campaign is gone");
  await roomToCount(tx);
  const condition = await conditionOf(tx, published, now, "everyone");
  if (condition instanceof Problem) throw condition;
  const found = await newMembers(tx, of, { condition, after: taken.after_key, limit: PAGE });
  await enterWith(tx, published, await addMembers(tx, of, found, now), now);
  const startedAt = taken.started_at ?? now;
  if (found.length === PAGE) {
    await moveSweep(tx, taken, { afterKey: found.at(-1) ?? null, startedAt, dueAt: now });
    return;
  }
  await dropMembers(tx, of, condition);
  const restMs = Math.max(startedAt.getTime() + SWEEP_MS - now.getTime(), REST * (performance.now() - begun));
  await moveSweep(tx, taken, { afterKey: null, startedAt: null, dueAt: new Date(now.getTime() + restMs) });
}

/** Returns the condition of a campaign's audience, or the Problem that prevents its evaluation. */
async function conditionOf(
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

async function enterWith(tx: Tx, published: Published, personKeys: string[], now: Date): Promise<void> {
  const candidates = personKeys.map((personKey) => ({ published, personKey, cause: `audience ${newId()}`, data: {} }));
  if (candidates.length > 0) await enter(tx, candidates, now);
}
