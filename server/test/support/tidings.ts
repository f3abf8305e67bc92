import { execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { memoryFolder } from "./memory/folder.ts";
import { atEnd, until } from "./wait.ts";

const run = promisify(execFile);
const BIN = fileURLToPath(new URL("../../bin/tidings.js", import.meta.url));
/** Node caches compiled modules here: importing the service at a start then takes 0.7 s of CPU and not 1.2 s. */
const COMPILED = fileURLToPath(new URL("../../../node_modules/.cache/tidings-tests", import.meta.url));

export interface Tidings {
  pid: number;
  /** Everything printed so far, both streams. */
  output(): string;
  /** Everything printed on stdout. */
  stdout(): string;
  /** Whether it has ended. */
  over(): boolean;
  /** Its exit code, or the signal that ended it. */
  exit: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
  /** Sends SIGINT to the whole process group, as a terminal does on Ctrl-C. */
  killGroup(signal: NodeJS.Signals): void;
}

export interface Running extends Tidings {
  address: string;
  secretKey: string | undefined;
  publicKey: string | undefined;
}

export interface TidingsOptions {
  env?: Record<string, string>;
  uid?: number;
  gid?: number;
  /** The test file ends it, and not the test that starts it. */
  outlivesTest?: boolean;
  /** How many files it may have open, as by `ulimit -n`. */
  openFiles?: number;
  /** The command of another version. */
  bin?: string;
}

/** Starts the command as a real process, with only PATH, COMPILED and the test's variables as its environment. It ends with the test unless `outlivesTest`. */
export function tidings(args: string[], options: TidingsOptions = {}): Tidings {
  const { env, outlivesTest = false, openFiles, bin = BIN, ...ids } = options;
  const command = [process.execPath, bin, ...args];
  const limited =
    openFiles === undefined ? command : ["sh", "-c", `ulimit -n ${openFiles}; exec "$@"`, "sh", ...command];
  const child = spawn(limited[0] as string, limited.slice(1), {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED, ...env },
    cwd: tmpdir(),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    ...ids,
  });
  let output = "";
  let stdout = "";
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  child.stdout.on("data", (chunk) => {
    output += chunk;
    stdout += chunk;
  });
  const exit = new Promise<number | string>((resolve) => {
    child.on("close", (code, signal) => resolve(code ?? signal ?? "?"));
  });
  const over = () => child.exitCode !== null || child.signalCode !== null;
  const end = () => void (over() || child.kill("SIGKILL"));
  if (!outlivesTest) onTestFinished(end);
  return {
    pid: child.pid as number,
    output: () => output,
    stdout: () => stdout,
    over,
    exit,
    kill: (signal) => child.kill(signal),
    killGroup: (signal) => process.kill(-(child.pid as number), signal),
  };
}

/** A service that has printed its address. */
export async function serve(env: Record<string, string>, options: Omit<TidingsOptions, "env"> = {}): Promise<Running> {
  const port = env.PORT ?? String(await freePort());
  const service = tidings(["serve"], { env: { PORT: port, ...env }, ...options });
  await until(() => service.over() || service.output().includes("Tidings is running"), "the start", 60_000).catch(
    (error: Error) => {
      throw new Error(`${error.message}, and printed:\n${service.output()}`);
    },
  );
  if (service.over()) throw new Error(`the service ended at its start:\n${service.output()}`);
  return {
    ...service,
    address: `http://127.0.0.1:${port}`,
    secretKey: /tid_sec_[\w-]+/.exec(service.output())?.[0],
    publicKey: /tid_pub_[\w-]+/.exec(service.output())?.[0],
  };
}

/** Returns an empty folder for DATA_DIR. After the test, processes that still use it are ended, then it is removed. */
export async function dataDir(): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder(), "tidings-serve-"));
  onTestFinished(async () => {
    const pid = postmaster(folder);
    if (pid) {
      process.kill(pid, "SIGQUIT");
      await until(() => !runs(pid), "the end of PostgreSQL");
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

/** A service that was started once on an empty folder and stopped: a start on a copy of its folder makes no database. */
interface Prepared {
  publicKey: string | undefined;
  /** Returns a copy of the folder. It ends as one of `dataDir`. */
  copy(): Promise<string>;
}

/** Starts the service once on an empty folder, which lasts as long as the test file. */
export async function prepared(): Promise<Prepared> {
  const folder = await mkdtemp(join(memoryFolder(), "tidings-prepared-"));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const first = await serve({ DATA_DIR: folder }, { outlivesTest: true });
  first.kill("SIGTERM");
  if ((await first.exit) !== 0) throw new Error(`the service did not stop:\n${first.output()}`);
  return {
    publicKey: first.publicKey,
    async copy() {
      const copy = await dataDir();
      // Started by root, PostgreSQL runs as another user, who owns its files.
      await run("cp", ["-a", `${folder}/.`, copy]);
      return copy;
    },
  };
}

/** Returns the process id of the embedded PostgreSQL with this folder, while it runs. */
export function postmaster(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
    return runs(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process runs; one that is dead and not yet reaped by its parent does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Returns the seconds of CPU that a process has used; undefined if the system does not tell. */
export function cpuSeconds(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // In hundredths of a second: user and system.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Each worker of vitest has every eighth port for itself. */
const WORKERS = 8;
const PORTS = { least: 10_240, end: 32_768 };
let tried = randomInt(PORTS.end - PORTS.least);

/**
 * Returns a port that nobody listens on, and that no other test file takes before it is used, or while a service is restarted on
 * it. It is below the ports that systems use for outgoing connections: among thousands of attempts to connect to a port that
 * nobody listens on, one would get this port as its own, and such a connection connects to itself.
 */
export function freePort(): Promise<number> {
  tried = (tried + WORKERS) % (PORTS.end - PORTS.least);
  const port = PORTS.least + tried - (tried % WORKERS) + (Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS);
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(freePort()) : reject(error),
    );
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(port)));
  });
}
