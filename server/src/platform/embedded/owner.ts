import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, startOf } from "./processes.ts";

/**
 * Makes this process the only service on a data folder. With two, the second would take the first one's PostgreSQL for an orphan
 * and stop it. Returns the function that releases the folder.
 * @throws Error that names the process that uses the folder
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

/** Creates one folder at a time. The option `recursive` of mkdir never ends where mkdir fails with ENOENT below an existing folder, as in /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Another process may have created the folder meanwhile. For a missing right the CLI has a message of its own.
    if (code === "EEXIST" && statSync(folder).isDirectory()) return;
    throw code === "EACCES" ? error : new Error(`DATA_DIR can't be a folder there: ${message}`);
  }
}

/** Waits until a service that is stopping has released the folder, for at most `ms`. */
export async function folderLetGo(folder: string, ms: number): Promise<void> {
  const file = join(folder, "service.pid");
  for (const until = Date.now() + ms; existsSync(file) && ownerOf(file) && Date.now() < until; ) await sleep(50);
}

/** Returns the process that wrote the file, if it still runs. A later process with the same number does not count. */
function ownerOf(file: string): number | undefined {
  const [pid, start] = readFileSync(file, "utf8").trim().split(" ");
  const number = Number(pid);
  return isAlive(number) && start !== undefined && startOf(number) === start ? number : undefined;
}
