import { readdirSync, readFileSync } from "node:fs";

/** Returns the milliseconds of CPU that a process has used so far, or NaN without /proc. Linux counts in ticks of 10 ms. */
export function cpuOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/**
 * Returns the milliseconds of CPU that the children of a process have used so far, also those that have ended: Linux adds the CPU of
 * a child to its parent's count when the parent learns of its end.
 */
export function childrenCpu(parent: number): number {
  const fields = statOf(parent);
  const ended = (Number(fields[13]) + Number(fields[14])) * 10;
  // A child may end between being listed and being read.
  const running = childrenOf(parent)
    .map(cpuOf)
    .filter((cpu) => !Number.isNaN(cpu));
  return running.reduce((sum, cpu) => sum + cpu, ended);
}

function childrenOf(parent: number): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0 && Number(statOf(pid)[1]) === parent);
  } catch {
    return [];
  }
}

/** Returns the fields of /proc/PID/stat after the program's name (state, parent, ...), or an empty list if there are none. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return [];
  }
}
