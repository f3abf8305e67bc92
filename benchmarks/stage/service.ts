import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { BARE_ENV, type Child, childOf, isOver, launch } from "../processes/children.ts";
import { freePort } from "../processes/ports.ts";

const TIDINGS = new URL("../../server/bin/tidings.js", import.meta.url);
const MEMORY = new URL("../processes/memory.ts", import.meta.url).href;
const LONGEST_START_MS = 60_000;

export interface Server extends Child {
  port: number;
}

export interface Keys {
  secretKey: string;
  publicKey: string;
}

/** Creates keys for the first workspace, which the service creates with them. */
export const makeKeys = (): Keys => ({
  secretKey: `tid_sec_${randomBytes(16).toString("hex")}`,
  publicKey: `tid_pub_${randomBytes(16).toString("hex")}`,
});

/** Starts `tidings serve` on a free port. Its first start creates a workspace with these keys, and a database unless `env` has one. */
export async function startService(
  env: Record<string, string>,
  roles: string,
  keys: Keys,
  nodeArgs: string[],
): Promise<Server> {
  const bootstrap = { BOOTSTRAP_SECRET_KEY: keys.secretKey, BOOTSTRAP_PUBLIC_KEY: keys.publicKey };
  return serve(await freePort(), { ...env, ROLES: roles, ...bootstrap }, nodeArgs);
}

/** Starts `tidings serve` on this port with these variables, and waits until it is ready. @throws Error with what it printed if it ends */
export async function serve(port: number, env: Record<string, string>, nodeArgs: string[] = []): Promise<Server> {
  const child = launch(
    {
      file: TIDINGS,
      args: ["serve"],
      env: { PORT: String(port), LOG_LEVEL: "warn", LOG_FORMAT: "json", ALLOW_PRIVATE_NETWORK: "true", ...env },
      execArgv: ["--expose-gc", "--import", MEMORY, ...nodeArgs],
    },
    "pipe",
  );
  // stdout has the log, whose first lines report the start; stderr has the welcome and the reason of a failed start.
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    if (/^\{"level":[456]/.test(line)) console.log(line);
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  for (const end = Date.now() + LONGEST_START_MS; !(await isReady(port)); await sleep(50)) {
    if (!isOver(child) && Date.now() < end) continue;
    await childOf(child).stop();
    throw new Error(`the service did not start:\n${said}`);
  }
  return { ...childOf(child), port };
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Creates one more workspace by the command line, beside the running service. */
export async function createWorkspace(env: Record<string, string>, name: string): Promise<Keys> {
  const { secret_key, public_key } = JSON.parse(await tidings(env, "workspaces", "create", name, "--json"));
  return { secretKey: secret_key, publicKey: public_key };
}

/** Runs a command of Tidings. Returns what it printed. @throws Error with it if the command fails */
export async function tidings(env: Record<string, string>, ...args: string[]): Promise<string> {
  const file = fileURLToPath(TIDINGS);
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { env: { ...BARE_ENV, ...env } });
  return stdout;
}

/** Finds the service's PostgreSQL by the files in its folder (docs/operations.md). */
export function databaseIn(folder: string): { url: string; pid: number } {
  const password = readFileSync(join(folder, "postgres-password"), "utf8").trim();
  const [pid, , , port] = readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n");
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, pid: Number(pid) };
}
