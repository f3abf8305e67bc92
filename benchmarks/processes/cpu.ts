import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds of CPU that a process has used so far, or NaN where there is no /proc. Linux counts in ticks of 10 ms. */
export function cpuOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Gives a function that returns the milliseconds of CPU that the children of a process have used so far. */
export function childrenCpu(parent: number): () => number {
  const children = new Map<number, number>();
  return () => {
    // A child that has ended since, such as an autovacuum, keeps what it was last seen with: the sum never falls.
    for (const pid of childrenOf(parent)) {
      const cpu = cpuOf(pid);
      // It may end between being listed and being read.
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

/** The fields of /proc/PID/stat after the program's name: its state, its parent, and more. Empty where there are none. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return [];
  }
}
