import type { Ground } from "../platform/ground.ts";
import type { Job } from "../platform/work/jobs.ts";
import { IDLE_MS } from "./session/sessions.ts";
import { forgetSessions } from "./store/session-store.ts";

/** The background jobs of members. */
export function jobs({ workDb, clock }: Ground): Job[] {
  const forget = async () => {
    const now = clock.now();
    await forgetSessions(workDb, now, new Date(now.getTime() - IDLE_MS));
  };
  return [{ name: "members.forget-sessions.v1", cron: "53 3 * * *", run: forget }];
}
