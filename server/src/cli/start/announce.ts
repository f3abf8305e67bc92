import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, readConfig } from "../../platform/config.ts";
import { version } from "../../platform/version.ts";

/** Says what a start does before the server's own code is read, which takes a second or more: silence looks like a hang. */
export function announce(config: Config = readConfig()): void {
  const msg = announcement(config, existsSync(join(config.dataDir, "postgres")));
  // As the log's lines are. The log itself would be as long in coming as what it tells of.
  if (config.logFormat === "json") console.log(JSON.stringify({ level: 30, time: Date.now(), msg }));
  else console.log(msg);
}

export function announcement({ databaseUrl, dataDir, host, port }: Config, hasData: boolean): string {
  const where = `then the service on ${host} port ${port === 0 ? "that is free" : port}`;
  if (databaseUrl) return `Tidings ${version}: looking for the PostgreSQL of DATABASE_URL, ${where} ...`;
  const first = hasData ? "" : ", which is made now (a few seconds more)";
  return `Tidings ${version}: starting PostgreSQL in ${dataDir}${first}, ${where} ...`;
}
