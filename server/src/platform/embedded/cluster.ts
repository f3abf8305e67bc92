import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { chown, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Binaries, Launch } from "./binaries.ts";
import { exists, servesFolder, stopPostgres } from "./processes.ts";

const run = promisify(execFile);
/** Nobody waits for an orphan's shutdown but a start. */
const ORPHAN_STOP_MS = 15_000;

/** PGDATA and its like from the caller's shell would point our server at their database. */
export const programEnv = () => ({ PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" });

/** A secret that is made once and kept in the folder, readable by its owner alone. Whole or absent, whatever is killed. */
export async function keptSecret(folder: string, name: string, make: () => string): Promise<string> {
  const file = join(folder, name);
  if (!existsSync(file)) {
    const fresh = `${file}.${randomBytes(4).toString("hex")}`;
    await writeFile(fresh, `${make()}\n`, { mode: 0o600, flush: true });
    await rename(fresh, file);
  }
  return (await readFile(file, "utf8")).trim();
}

/** The superuser's password. @throws Error where the database is there and its password is not: a new one would not open it */
export function passwordOf(folder: string): Promise<string> {
  if (existsSync(join(folder, "postgres", "PG_VERSION")) && !existsSync(join(folder, "postgres-password"))) {
    throw new Error(`${join(folder, "postgres-password")} is missing, so the database beside it can't be opened`);
  }
  return keptSecret(folder, "postgres-password", () => randomBytes(24).toString("base64url"));
}

/**
 * Makes the database's files, if there are none. They are made beside their place and renamed: a half-made folder, left
 * by a kill -9 in these two seconds, has a PG_VERSION too and would look like a finished one to the next start.
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

/** @throws Error where the files were made by another major version, which can't open them */
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

/** What the folder's pid file says, true or not. */
function pidFile(data: string): { pid: number; port: number } | undefined {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").split("\n");
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/** The PostgreSQL that really runs over this folder now. */
export function postmasterOf(data: string): { pid: number; port: number } | undefined {
  const named = pidFile(data);
  return named && servesFolder(named.pid, data) ? named : undefined;
}

/**
 * Ends a PostgreSQL that outlived its service, and removes a pid file whose number now belongs to another process, before
 * which PostgreSQL would refuse to start. Where the number is free the file stays: PostgreSQL finds by it whether children
 * of the dead one still touch the files. The caller owns the folder, so nobody else's database can be meant.
 */
export async function stopOrphan(data: string): Promise<void> {
  const named = pidFile(data);
  if (!named) return;
  if (servesFolder(named.pid, data)) await stopPostgres(named.pid, ORPHAN_STOP_MS);
  else if (exists(named.pid)) rmSync(join(data, "postmaster.pid"), { force: true });
}
