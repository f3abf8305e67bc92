import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { migrate } from "../../src/platform/db/index.ts";
import { startEmbedded } from "../../src/platform/embedded/index.ts";
import { startJobs } from "../../src/platform/work/jobs.ts";
import { memoryFolder } from "./memory-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    databases: { admin: string; template: string; external: boolean };
  }
}

/**
 * Starts one PostgreSQL for the whole run (DATABASE_URL, or an embedded one) with a migrated template, which each file clones. Autovacuum
 * is off: it would change plans between two statements of a test, and lock the template while it is cloned.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.DATABASE_URL;
  const folder = external ? undefined : await mkdtemp(join(memoryFolder(), "tidings-test-"));
  const embedded = folder
    ? await startEmbedded(folder, {
        durable: false,
        settings: { max_connections: "300", autovacuum: "off", shared_buffers: "128MB" },
      })
    : undefined;
  const admin = external ?? (embedded?.url as string);
  const template = `tidings_template_${randomBytes(5).toString("hex")}`;
  await execute(admin, `create database ${template}`);
  const url = Object.assign(new URL(admin), { pathname: `/${template}` }).href;
  await migrate(url);
  await (await startJobs(url, [], pino({ level: "silent" }))).stop();
  project.provide("databases", { admin, template, external: external !== undefined });
  return async () => {
    await execute(admin, `drop database if exists ${template} with (force)`);
    await embedded?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
