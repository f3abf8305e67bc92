import * as activity from "./activity/index.ts";
import * as analytics from "./analytics/index.ts";
import * as broadcasts from "./broadcasts/index.ts";
import * as events from "./events/index.ts";
import * as inapp from "./inapp/index.ts";
import * as ingest from "./ingest/index.ts";
import * as outbound from "./outbound/index.ts";
import * as people from "./people/index.ts";
import type { House } from "./house.ts";
import type { Ground } from "./platform/ground.ts";
import { forgetExpired } from "./platform/resources/idempotency.ts";
import { forgetImports } from "./platform/transfer/imports-store.ts";
import { removeLeftUploads } from "./platform/transfer/upload.ts";
import { type Job, type Jobs, startJobs } from "./platform/work/jobs.ts";
import * as webhooks from "./webhooks/index.ts";

/** Starts the background work of this process; `stop` finishes or releases what is under way. */
export async function startWorker(ground: House, url: string): Promise<Jobs> {
  const jobs = await startJobs(
    url,
    [
      forgetKeys(ground),
      ...people.jobs(ground),
      ...events.jobs(ground),
      ...activity.jobs(ground),
      ...analytics.jobs(ground),
      ...ingest.jobs(ground),
      ...inapp.jobs(ground),
      ...outbound.jobs(ground),
      ...webhooks.jobs(ground),
    ],
    ground.log,
  );
  const dispatcher = outbound.startDispatcher(ground);
  const calls = webhooks.startWebhooks(ground);
  const fanout = broadcasts.startBroadcasts(ground);
  return {
    async stop() {
      await Promise.all([dispatcher.stop(), calls.stop(), fanout.stop(), jobs.stop()]);
    },
  };
}

/** Of the list of imports. What they brought stays. */
const IMPORTS_KEPT_MS = 90 * 86_400_000;

const forgetKeys = (ground: Ground): Job => ({
  name: "idempotency.forget.v1",
  cron: "*/10 * * * *",
  async run() {
    const now = ground.clock.now();
    await forgetExpired(ground.workDb, now);
    await forgetImports(ground.workDb, new Date(now.getTime() - IMPORTS_KEPT_MS));
    await removeLeftUploads(now);
  },
});
