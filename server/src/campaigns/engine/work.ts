import type { CampaignsGround } from "../definition/entrances.ts";
import { UNTIL_DUE } from "../../platform/work/due.ts";
import { type Loop, startLoop } from "../../platform/work/loop.ts";
import { RUNS_DUE } from "../run/run.ts";
import { isCampaignDue } from "../run/store.ts";
import { round } from "./round.ts";

/** The poll asks for the runs that are due before the next one, so that the loop can wait for their time. */
const AHEAD_MS = 1_500;

/** Starts the loop that advances the due runs of campaigns: see round.ts. */
export const startCampaigns = (ground: CampaignsGround): Loop =>
  startLoop(ground, {
    what: "campaigns",
    wakeOn: { [RUNS_DUE]: () => true },
    isDue: (now, q) => isCampaignDue(new Date(now.getTime() + AHEAD_MS), q),
    round: () => round(ground, UNTIL_DUE),
    // PostgreSQL rolls back a batch that is cut off.
    graceMs: 4_000,
  });
