import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Log } from "../../platform/log.ts";

const BUILD = fileURLToPath(new URL("../../../../dashboard/build.ts", import.meta.url));

/**
 * Builds the dashboard if its sources are newer than its build, in a process of its own, so that a fresh clone needs no third command.
 * The service runs meanwhile, and `/` says what is going on. Returns the function that ends it. An image (deploy/Dockerfile) has the build
 * without its sources.
 */
export function buildDashboard(log: Log): () => void {
  if (!existsSync(BUILD)) return () => {};
  const child: ChildProcess = spawn(process.execPath, [BUILD], { stdio: ["ignore", "ignore", "pipe"] });
  let wrong = "";
  child.stderr?.on("data", (text) => {
    wrong = (wrong + text).slice(-2_000);
  });
  child.on("error", (error) => log.warn({ err: error.message }, NOT_BUILT));
  child.on("exit", (code) => {
    if (code) log.warn({ err: wrong.trim() }, NOT_BUILT);
  });
  return () => void child.kill();
}

const NOT_BUILT = "the dashboard was not built: everything else works. `npm run build -w dashboard` tries again";
