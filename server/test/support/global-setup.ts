import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { distributeAll } from "../../src/cli/distribute/distribute.ts";
import { inTurn, migrate } from "../../src/platform/db/index.ts";
import { startEmbedded } from "../../src/platform/embedded/index.ts";
import { startJobs } from "../../src/platform/work/jobs.ts";
import { close, databaseAt, join as joined, type Nodes, nodesOf, query } from "./database/citus.ts";
import { memoryFolder } from "./memory/folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    databases: { nodes: Nodes; template: string; external: boolean };
  }
}

/**
 * Starts one PostgreSQL for the whole run (CITUS_URL, DATABASE_URL, or an embedded one) with a migrated template, which each file clones. Autovacuum
 * is off: it would change plans between two statements of a test, and lock the template while it is cloned. CITUS_URL is the coordinator
 * of a cluster: there the template is distributed, and has a clone on each node.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const citus = process.env.CITUS_URL;
  if (!citus) console.warn("CITUS_URL is not set: nothing is tested on a cluster of Citus (CONTRIBUTING.md).");
  const external = citus ?? process.env.DATABASE_URL;
  const folder = external ? undefined : await mkdtemp(join(memoryFolder(), "tidings-test-"));
  const embedded = folder
    ? await startEmbedded(folder, {
        durable: false,
        settings: { max_connections: "400", autovacuum: "off", shared_buffers: "128MB" },
      })
    : undefined;
  const admin = external ?? (embedded?.url as string);
  const template = `tidings_template_${randomBytes(5).toString("hex")}`;
  const nodes: Nodes = citus ? await nodesOf(citus) : [admin];
  for (const node of nodes) await query(node, `create database ${template}`);
  const url = databaseAt(admin, template);
  if (citus) await joined(nodes, template);
  await migrate(url);
  await (await startJobs(url, [], pino({ level: "silent" }))).stop();
  if (citus) {
    await inTurn(url, (client) => distributeAll(client, { shards: 4 }));
    await close(nodes, template);
  }
  project.provide("databases", { nodes, template, external: external !== undefined });
  return async () => {
    for (const node of nodes) await query(node, `drop database if exists ${template} with (force)`);
    await embedded?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  };
}
