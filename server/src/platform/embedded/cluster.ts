import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { chown, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Binaries, Launch } from "./binaries.ts";
import { exists, servesFolder, stopPostgres } from "./processes.ts";

const run = promisify(execFile);
/** Only a start waits for the shutdown of an orphan, so it may take longer than the stop of our own PostgreSQL. */
const ORPHAN_STOP_MS = 15_000;

/** The environment of PostgreSQL's programs. PGDATA and similar variables of the user's shell would point to another database. */
export const programEnv = () => ({ PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" });

/**
 * Returns a secret that is made once and kept in the folder, where only its owner can read it. The file is complete or absent, even
 * after a kill.
 */
export async function keptSecret(folder: string, name: string, make: () => string): Promise<string> {
  const file = join(folder, name);
  if (!existsSync(file)) {
    const fresh = `${file}.${randomBytes(4).toString("hex")}`;
    await writeFile(fresh, `${make()}\n`, { mode: 0o600, flush: true });
    await rename(fresh, file);
  }
  return (await readFile(file, "utf8")).trim();
}

/** Returns the superuser's password. @throws Error if the database exists without its password: a new one would not open it */
export function passwordOf(folder: string): Promise<string> {
  if (existsSync(join(folder, "postgres", "PG_VERSION")) && !existsSync(join(folder, "postgres-password"))) {
    throw new Error(`${join(folder, "postgres-password")} is missing, so the database beside it can't be opened`);
  }
  return keptSecret(folder, "postgres-password", () => randomBytes(24).toString("base64url"));
}

/**
 * Creates the database's files, if there are none. They are created in a folder beside the final one, which is then renamed: a
 * half-made folder, left by a kill -9 in these two seconds, has a PG_VERSION too, so the next start would take it for a finished one.
 */
export async function ensureCluster(
  folder: string,
  binaries: Binaries,
  launch: Launch,
  options: { password: string; durable: boolean },
): Promise<void> {
  const data = join(folder, "postgres");
  if (existsSync(join(data, "PG_VERSION"))) return;
  for (const name of readdirSync(folder)) {
    if (name.startsWith("postgres.new-")) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
  const fresh = join(folder, `postgres.new-${randomBytes(4).toString("hex")}`);
  const secret = `${fresh}-password`;
  await mkdir(fresh, { mode: 0o700 });
  await writeFile(secret, options.password, { mode: 0o600 });
  if (launch.owner) {
    await chown(fresh, launch.owner.uid, launch.owner.gid);
    await chown(secret, launch.owner.uid, launch.owner.gid);
  }
  const args = ["-D", fresh, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${secret}`];
  args.push("--encoding=UTF8", "--no-locale", ...(options.durable ? [] : ["--no-sync"]));
  try {
    const [command = "", ...rest] = [...launch.prefix, binaries.initdb, ...args];
    await run(command, rest, { cwd: "/", env: programEnv(), ...launch.as });
    renameSync(fresh, data);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true, maxRetries: 3 });
    const why = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw new Error(`the embedded PostgreSQL could not be initialised in ${data}: ${why}`, { cause: error });
  } finally {
    rmSync(secret, { force: true });
  }
}

/** Checks that the programs can open the files. @throws Error if another major version of PostgreSQL made the files */
export async function sameVersion(data: string, binaries: Binaries): Promise<void> {
  const made = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  const { stdout } = await run(binaries.postgres, ["--version"]);
  const have = /(\d+)/.exec(stdout)?.[1];
  if (made !== have) {
    throw new Error(
      `the files in ${data} were made by PostgreSQL ${made}, this is ${have}: see "Upgrade" in docs/operations.md`,
    );
  }
}

/** The content of the folder's pid file, which may be out of date. */
function pidFile(data: string): { pid: number; port: number } | undefined {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").split("\n");
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/** Returns the PostgreSQL that runs on this folder now, or undefined. */
export function postmasterOf(data: string): { pid: number; port: number } | undefined {
  const claimed = pidFile(data);
  return claimed && servesFolder(claimed.pid, data) ? claimed : undefined;
}

/**
 * Stops a PostgreSQL that outlived its service. Removes a pid file whose number now belongs to another process, because PostgreSQL
 * would refuse to start. If no process has the number, the file stays: with it PostgreSQL finds out whether children of the dead
 * server still use the files. The caller owns the folder, so this never stops a database of somebody else.
 */
export async function stopOrphan(data: string): Promise<void> {
  const claimed = pidFile(data);
  if (!claimed) return;
  if (servesFolder(claimed.pid, data)) await stopPostgres(claimed.pid, ORPHAN_STOP_MS);
  else if (exists(claimed.pid)) rmSync(join(data, "postmaster.pid"), { force: true });
}
