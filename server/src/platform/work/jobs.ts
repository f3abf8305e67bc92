import { PgBoss } from "pg-boss";
import { openDb } from "../db/index.ts";
import type { Log } from "../log.ts";

/** Scheduled work of a slice. The name has a version, because an old job outlives a deploy. */
export interface Job {
  /** `slice.verb.v1` */
  name: string;
  /** Five fields of cron, in UTC. Each occurrence is run by one process only. */
  cron: string;
  run(): Promise<void>;
}

export interface Jobs {
  stop(): Promise<void>;
}

/**
 * Seconds between two looks for a job to run, for each job. The times of cron are minutes, so a job begins some seconds after its minute.
 * By default pg-boss looks every two seconds: 9 of the 18 transactions a second of a service without work were these.
 */
const POLL_SECONDS = 20;

/** Runs the jobs with pg-boss, which has a schema of its own and migrates it. Schedules of jobs that are gone are removed. */
export async function startJobs(url: string, jobs: Job[], log: Log): Promise<Jobs> {
  const db = openDb({
    url,
    connections: 1,
    signals: { publish: () => {} },
    log,
    // The maintenance of pg-boss rebuilds indexes.
    statementTimeoutMs: 600_000,
    name: "tidings jobs",
  });
  // One connection: with three of each process, jobs had 60 of the 100 connections of 20 processes behind a pooler. The statements wait
  // for each other here, because the pool would refuse one that waits for 2 s.
  let last: Promise<unknown> = Promise.resolve();
  const executeSql = async (text: string, values: unknown[] = []) => {
    const mine = last.then(() => db.query({ text, values }));
    last = mine.catch(() => {});
    return { rows: await mine };
  };
  const boss = new PgBoss({
    db: { executeSql },
    cronWorkerIntervalSeconds: POLL_SECONDS,
    // No job is part of a flow.
    flowIntervalSeconds: 3_600,
  });
  boss.on("error", (error) => log.warn({ err: error.message }, "a background job's database call failed"));
  await boss.start();
  for (const job of jobs) {
    await boss.createQueue(job.name, { retryLimit: 3, expireInSeconds: 600 });
    await boss.work(job.name, { pollingIntervalSeconds: POLL_SECONDS }, async () => {
      await job.run();
    });
    await boss.schedule(job.name, job.cron, null, { tz: "UTC" });
  }
  // pg-boss keeps the schedule of a job that was renamed or removed, and would fill its queue for ever.
  const names = new Set(jobs.map(({ name }) => name));
  for (const { name } of await boss.getSchedules()) if (!names.has(name)) await boss.unschedule(name);
  return {
    async stop() {
      await boss.stop({ graceful: true, timeout: 5_000 });
      await db.close();
    },
  };
}
