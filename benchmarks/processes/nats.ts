import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./ports.ts";

export interface NatsServer {
  url: string;
  /** Ends the server, as a crash of its machine would. */
  kill(): void;
  /** Starts it again on its port. */
  again(): Promise<void>;
}

/** Starts a nats-server on a free port of 127.0.0.1; returns undefined if none is installed. */
export async function startNats(): Promise<NatsServer | undefined> {
  const port = await freePort();
  let child = await launch(port);
  if (!child) return undefined;
  return {
    url: `nats://127.0.0.1:${port}`,
    kill: () => void child?.kill("SIGKILL"),
    async again() {
      child = await launch(port);
    },
  };
}

async function launch(port: number): Promise<ChildProcess | undefined> {
  const child = spawn("nats-server", ["-a", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
  let missing = false;
  child.once("error", () => {
    missing = true;
  });
  for (let tries = 0; tries < 200 && !missing; tries++, await sleep(50)) if (await answers(port)) return child;
  return undefined;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => resolve(false));
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
