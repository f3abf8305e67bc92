import type { Job } from "../platform/work/jobs.ts";
import type { MediaGround } from "./ground.ts";
import { clear } from "./remove.ts";

/** The background jobs of the media library. */
export function jobs(ground: MediaGround): Job[] {
  return [{ name: "media.clear.v1", cron: "33 * * * *", run: () => clear(ground) }];
}
