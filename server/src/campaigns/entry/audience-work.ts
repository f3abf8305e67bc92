import { UNTIL_DUE } from "../../platform/work/due.ts";
import { type Loop, startLoop } from "../../platform/work/loop.ts";
import type { CampaignsGround } from "../definition/entrances.ts";
import { isAudienceWorkDue } from "../audience/sweeps-store.ts";
import { AUDIENCE_WORK } from "../audience/watch.ts";
import { checkPeople } from "./audience-check.ts";
import { sweepNext } from "./audience-sweep.ts";

/** Starts the loop that finds people who enter the audiences of campaigns, and runs that wait by what their person has just become. */
export function startAudiences(ground: CampaignsGround): Loop {
  return startLoop(ground, {
    what: "audiences of campaigns",
    wakeOn: { [AUDIENCE_WORK]: () => true },
    isDue: isAudienceWorkDue,
    round: async () => {
      const checked = await checkPeople(ground, ground.entrances);
      const swept = await sweepNext(ground);
      return checked || swept ? 0 : UNTIL_DUE;
    },
    graceMs: 4_000,
  });
}
