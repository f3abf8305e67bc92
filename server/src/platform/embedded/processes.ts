import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether the kernel still knows this process id, be it a dead process whose exit status nobody has read (a zombie). */
export function exists(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether a process with this id runs. Zombies don't count: in a container whose first process never reads them, they stay. */
export const isAlive = (pid: number): boolean => exists(pid) && statOf(pid)?.[0] !== "Z";

/** The fields of /proc/PID/stat after the command's name, which may itself contain spaces and brackets. */
function statOf(pid: number): string[] | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

const ps = (pid: number, column: string): string =>
  execFileSync("ps", ["-p", String(pid), "-o", `${column}=`], { stdio: ["ignore", "pipe", "ignore"] })
    .toString()
    .trim();

/**
 * Returns when a process began, as a word that is only good for comparing. The kernel uses process ids again (a container starts with
 * the same ones each time), so an id alone does not identify a process. Returns "" if there is no such process.
 */
export function startOf(pid: number): string {
  try {
    return process.platform === "linux" ? (statOf(pid)?.[19] ?? "") : ps(pid, "lstart").replaceAll(/\s+/g, "-");
  } catch {
    return "";
  }
}

/** Whether this process is the PostgreSQL of this data folder: a postmaster works inside its folder. */
export function servesFolder(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`) === data;
    const command = ps(pid, "command");
    return command.includes("postgres") && command.includes(data);
  } catch {
    return false;
  }
}

/** Waits for the end of a process, which need not be our child. Returns false if it still runs after `ms`. */
export async function ended(pid: number, ms: number): Promise<boolean> {
  for (const until = Date.now() + ms; Date.now() < until; await sleep(25)) {
    if (!isAlive(pid)) return true;
  }
  return !isAlive(pid);
}

/** Stops a PostgreSQL within `ms`: a fast shutdown, then an immediate one, then a kill. It can recover from its log after each. */
export async function stopPostgres(pid: number, ms: number): Promise<void> {
  for (const [signal, wait] of [
    ["SIGINT", ms - 1_500],
    ["SIGQUIT", 1_000],
    ["SIGKILL", 500],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await ended(pid, wait)) return;
  }
}
