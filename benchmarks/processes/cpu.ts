import { readdirSync, readFileSync } from "node:fs";

/** Returns the milliseconds of CPU that a process has used so far, or NaN without /proc. Linux counts in ticks of 10 ms. */
export function cpuOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Returns a function that returns the milliseconds of CPU that the children of a process have used so far. */
export function childrenCpu(parent: number): () => number {
  const children = new Map<number, number>();
  return () => {
    // A child that has ended, such as an autovacuum, keeps its last count, so that the sum never falls.
    for (const pid of childrenOf(parent)) {
      const cpu = cpuOf(pid);
      // A child may end between being listed and being read.
      if (!Number.isNaN(cpu)) children.set(pid, cpu);
    }
    return [...children.values()].reduce((sum, cpu) => sum + cpu, 0);
  };
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
