import type { OutboundGround } from "../../outbound/index.ts";
import { type Loop, startLoop } from "../../platform/work/loop.ts";
import { RUNS_DUE } from "../run/run.ts";
import { round } from "./round.ts";

/** For runs that other processes left, and lost signals. A run that is due by time alone is not waited for longer than it takes. */
const POLL_MS = 1_000;

/** Advances the runs of campaigns in this process while any is due: see round.ts. */
export const startCampaigns = (ground: OutboundGround): Loop =>
  startLoop(ground, {
    what: "campaigns",
    wakeOn: { [RUNS_DUE]: () => true },
    round: () => round(ground, POLL_MS),
    // A batch that is cut off is rolled back.
    graceMs: 4_000,
  });
