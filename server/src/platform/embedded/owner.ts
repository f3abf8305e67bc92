import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, startOf } from "./processes.ts";

/**
 * Makes this process the only service over a data folder. Two would fight for one PostgreSQL: the second would stop the
 * first one's as an orphan. Returns the function that releases the folder.
 * @throws Error naming the process that has it
 */
export function ownFolder(folder: string): () => void {
  makeFolder(folder);
  const file = join(folder, "service.pid");
  for (let attempt = 1; ; attempt++) {
    try {
      const made = openSync(file, "wx", 0o600);
      writeSync(made, `${process.pid} ${startOf(process.pid)}\n`);
      closeSync(made);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || attempt === 5) throw error;
    }
    const owner = ownerOf(file);
    if (owner) throw new Error(`another Tidings (process ${owner}) uses ${folder}: stop it, or set another DATA_DIR`);
    rmSync(file, { force: true });
  }
}

/** One step at a time: mkdir's own `recursive` turns for ever where the parent is there and mkdir says ENOENT, as below /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Made by another process in between; or a right that is missing, for which the terminal has a sentence of its own.
    if (code === "EEXIST" && statSync(folder).isDirectory()) return;
    throw code === "EACCES" ? error : new Error(`DATA_DIR can't be a folder there: ${message}`);
  }
}

/** Waits until a service that is just stopping has let go of the folder, `ms` at the most. */
export async function folderLetGo(folder: string, ms: number): Promise<void> {
  const file = join(folder, "service.pid");
  for (const until = Date.now() + ms; existsSync(file) && ownerOf(file) && Date.now() < until; ) await sleep(50);
}

/** The process that wrote the file, if it is still that process and not a later one with its number. */
function ownerOf(file: string): number | undefined {
  const [pid, start] = readFileSync(file, "utf8").trim().split(" ");
  const number = Number(pid);
  return isAlive(number) && start !== undefined && startOf(number) === start ? number : undefined;
}
