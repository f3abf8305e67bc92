import type { Ground } from "../platform/ground.ts";
import type { Job } from "../platform/work/jobs.ts";
import { idleSince } from "./session/sessions.ts";
import { forgetAttempts } from "./store/attempt-store.ts";
import { forgetSessions } from "./store/session-store.ts";

/** The background jobs of members. */
export function jobs({ workDb, clock }: Ground): Job[] {
  const forget = async () => {
    const now = clock.now();
    await forgetSessions(workDb, now, idleSince(now));
    await forgetAttempts(workDb, now);
  };
  return [{ name: "members.forget-sessions.v1", cron: "53 3 * * *", run: forget }];
}
