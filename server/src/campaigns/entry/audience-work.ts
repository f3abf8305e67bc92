import { type Loop, startLoop } from "../../platform/work/loop.ts";
import type { CampaignsGround } from "../definition/entrances.ts";
import { isAudienceWorkDue } from "../audience/sweeps-store.ts";
import { AUDIENCE_WORK } from "../audience/watch.ts";
import { checkPeople } from "./audience-check.ts";
import { sweepNext } from "./audience-sweep.ts";

/** The poll finds due sweeps, checks of dead processes, and work whose signal was lost. */
const POLL_MS = 1_000;

/** Starts the loop that finds people who enter the audiences of campaigns. */
export function startAudiences(ground: CampaignsGround): Loop {
  return startLoop(ground, {
    what: "audiences of campaigns",
    wakeOn: { [AUDIENCE_WORK]: () => true },
    round: async () => {
      if (!(await isAudienceWorkDue(ground.workDb, ground.clock.now()))) return POLL_MS;
      const checked = await checkPeople(ground, ground.entrances);
      const swept = await sweepNext(ground);
      return checked || swept ? 0 : POLL_MS;
    },
    graceMs: 4_000,
  });
}
