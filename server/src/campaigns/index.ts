// WHY: automated journeys. A person enters a campaign when its trigger fires, and passes one step after another.
import { namesBy, type Slice } from "../workspaces/index.ts";
import { startCalls } from "./calls/work.ts";
import { hearsLimits } from "./engine/inside.ts";
import { startCampaigns } from "./engine/work.ts";
import type { CampaignsGround } from "./definition/entrances.ts";
import { startAudiences } from "./entry/audience-work.ts";
import { hearsPeople } from "./entry/by-audience.ts";
import { hearsActivity } from "./entry/by-activity.ts";
import { hearsEvents } from "./entry/by-event.ts";
import { startSchedules } from "./entry/schedule-work.ts";
import { namesById } from "./definition/store.ts";
import { progressOf, tasksOf, users } from "./definition/users.ts";
import { jobs } from "./jobs.ts";
import { logOf } from "./look/log.ts";
import { product } from "./product.ts";
import { holds } from "./run/holds.ts";

export { callMetrics } from "./calls/work.ts";
export { type CampaignsGround, EntranceIndex } from "./definition/entrances.ts";

/** The parts of this slice that the roof connects. */
export const slice: Slice<CampaignsGround> = {
  name: "campaigns",
  product,
  jobs,
  start(ground) {
    const work = [startAudiences(ground), startSchedules(ground), startCampaigns(ground), startCalls(ground)];
    return {
      async stop() {
        await Promise.all(work.map((one) => one.stop()));
      },
    };
  },
  hears: (ground) => [
    hearsEvents(ground, ground.entrances),
    hearsActivity(ground, ground.entrances),
    ...hearsPeople(ground.entrances),
    hearsLimits(ground),
  ],
  users,
  namesOf: namesBy("cmp", namesById),
  progressOf,
  tasksOf,
  holds,
  logOf,
};

declare module "../platform/ids.ts" {
  interface Prefixes {
    run: true;
  }
}
