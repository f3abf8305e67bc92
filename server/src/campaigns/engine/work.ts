import type { CampaignsGround } from "../definition/entrances.ts";
import { type Loop, startLoop } from "../../platform/work/loop.ts";
import { RUNS_DUE } from "../run/run.ts";
import { round } from "./round.ts";

/** The poll finds runs of dead processes, and runs whose signal was lost. The loop wakes earlier if a run is due earlier. */
const POLL_MS = 1_000;

/** Starts the loop that advances the due runs of campaigns: see round.ts. */
export const startCampaigns = (ground: CampaignsGround): Loop =>
  startLoop(ground, {
    what: "campaigns",
    wakeOn: { [RUNS_DUE]: () => true },
    round: () => round(ground, POLL_MS),
    // PostgreSQL rolls back a batch that is cut off.
    graceMs: 4_000,
  });
