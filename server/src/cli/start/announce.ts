import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, readConfig } from "../../platform/config.ts";
import { version } from "../../platform/version.ts";

/** Prints what the start does, before the server's code is loaded: that takes a second or more, and silence looks like a hang. */
export function announce(config: Config = readConfig()): void {
  const msg = announcement(config, existsSync(join(config.dataDir, "postgres")));
  // In the form of the log's lines. To load the log itself would take as long as the server.
  if (config.logFormat === "json") console.log(JSON.stringify({ level: 30, time: Date.now(), msg }));
  else console.log(msg);
}

/** Returns the line that a start prints first. */
export function announcement({ databaseUrl, dataDir, host, port }: Config, hasData: boolean): string {
  const where = `then the service on ${host} port ${port === 0 ? "that is free" : port}`;
  if (databaseUrl) return `Tidings ${version}: looking for the PostgreSQL of DATABASE_URL, ${where} ...`;
  const first = hasData ? "" : ", which is made now (a few seconds more)";
  return `Tidings ${version}: starting PostgreSQL in ${dataDir}${first}, ${where} ...`;
}
