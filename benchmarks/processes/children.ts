import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

export interface Child {
  pid: number;
  /** Sends a message and returns the next one that comes back. */
  ask<T>(message: unknown): Promise<T>;
  /** Sends a message that gets no answer. */
  tell(message: unknown): void;
  stop(): Promise<void>;
  /** Ends it as a crash would: kill -9. */
  kill(): Promise<void>;
}

export interface Program {
  file: URL;
  args?: string[];
  env?: Record<string, string>;
  /** Node's own options. */
  execArgv?: string[];
}

/** The variables that a program needs to start, and no others: the caller's DATABASE_URL must not reach the service under test. */
export const BARE_ENV = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/" };

/** Starts a program of the benchmarks as a process of its own and waits for its first message, which becomes `hello`. */
export async function startChild<H>(program: Program): Promise<Child & { hello: H }> {
  const child = launch(program, "inherit");
  const hello = (await nextMessage(child)) as H;
  return { ...childOf(child), hello };
}

/** Starts a program as a process of its own, with a channel for messages. */
export function launch(
  { file, args = [], env = {}, execArgv = [] }: Program,
  output: "inherit" | "pipe",
): ChildProcess {
  return fork(file, args, { env: { ...BARE_ENV, ...env }, execArgv, stdio: ["ignore", output, output, "ipc"] });
}

export function childOf(child: ChildProcess): Child {
  return {
    pid: child.pid as number,
    ask: <T>(question: unknown) => {
      const answer = nextMessage(child) as Promise<T>;
      child.send(question as object);
      return answer;
    },
    tell: (message) => void child.send(message as object),
    async stop() {
      if (isOver(child)) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      const hard = setTimeout(() => child.kill("SIGKILL"), 12_000);
      await gone;
      clearTimeout(hard);
    },
    async kill() {
      if (isOver(child)) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

export const isOver = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error(`${child.spawnargs.join(" ")} ended (${child.exitCode ?? child.signalCode})`));
    child.once("exit", gone);
    child.once("message", (value) => {
      child.off("exit", gone);
      resolve(value);
    });
  });
}
