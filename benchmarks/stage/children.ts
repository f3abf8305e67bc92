import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

export interface Child {
  pid: number;
  /** Sends a message and gives the next one that comes back. */
  ask<T>(message: unknown): Promise<T>;
  /** Sends a message that nothing comes back for. */
  tell(message: unknown): void;
  stop(): Promise<void>;
}

/** Starts a program as a process of its own and waits for its first message, which becomes `hello`. */
export async function startChild<H>(
  file: URL,
  env: Record<string, string>,
  execArgv: string[] = [],
): Promise<Child & { hello: H }> {
  // Only what a program needs to start: a DATABASE_URL of the caller's shell must not reach the service under test.
  const base = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/" };
  const child = fork(file, [], { env: { ...base, ...env }, execArgv, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const message = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const gone = () => reject(new Error(`${file.pathname} ended (${child.exitCode ?? child.signalCode})`));
      child.once("exit", gone);
      child.once("message", (value) => {
        child.off("exit", gone);
        resolve(value);
      });
    });
  const hello = (await message()) as H;
  return {
    hello,
    pid: child.pid as number,
    ask: <T>(question: unknown) => {
      const answer = message() as Promise<T>;
      child.send(question as object);
      return answer;
    },
    tell: (message) => void child.send(message as object),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      const hard = setTimeout(() => child.kill("SIGKILL"), 12_000);
      await gone;
      clearTimeout(hard);
    },
  };
}

/** Milliseconds of CPU that a process has used so far, or NaN where there is no /proc. Linux counts in ticks of 10 ms. */
export function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}
