import type { House } from "../house.ts";
import type { Ground } from "../platform/ground.ts";
import { forgetExpired } from "../platform/resources/idempotency.ts";
import { forgetImports } from "../platform/transfer/imports-store.ts";
import { removeLeftUploads } from "../platform/transfer/upload.ts";
import { type Job, type Jobs, startJobs } from "../platform/work/jobs.ts";
import { SLICES } from "../slices.ts";

/** Starts the background work of this process; `stop` finishes or releases what is under way. */
export async function startWorker(house: House, url: string): Promise<Jobs> {
  const jobs = await startJobs(
    url,
    [forgetKeys(house), ...SLICES.flatMap((slice) => slice.jobs?.(house) ?? [])],
    house.log,
  );
  const started = SLICES.flatMap((slice) => slice.start?.(house) ?? []);
  return {
    async stop() {
      await Promise.all([...started, jobs].map((work) => work.stop()));
    },
  };
}

/** How long the list of imports keeps an import. The imported rows stay. */
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
