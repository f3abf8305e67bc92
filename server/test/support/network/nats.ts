import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { connect } from "node:net";
import { freePort } from "../tidings.ts";
import { until } from "../wait.ts";

/** Whether nats-server is in PATH (Debian: apt-get install nats-server). Without it tests on NATS are skipped with a message; CI must have it. */
export const haveNats: boolean = looked();

function looked(): boolean {
  if (spawnSync("nats-server", ["--version"]).status === 0) return true;
  if (process.env.CI === "true") throw new Error("nats-server is not in PATH, and CI must run the tests on NATS");
  console.warn(
    "SKIPPED: nats-server is not in PATH, so nothing is tested over NATS (Debian: apt-get install nats-server)",
  );
  return false;
}

export interface NatsServer {
  url: string;
  /** The process itself: a test ends, stops and continues it with signals. */
  child: ChildProcess;
  /** Starts it again, on the same ports. */
  again(): Promise<void>;
}

/**
 * Starts servers of one cluster on free ports of 127.0.0.1 that accept connections. `over` is afterAll, or onTestFinished inside a
 * test, where vitest ignores an afterAll: the servers would outlive the run.
 */
export async function natsCluster(
  count: number,
  over: (end: () => void) => void,
  args: string[] = [],
): Promise<NatsServer[]> {
  const ports = await Promise.all(
    Array.from({ length: count }, async () => [await freePort(), await freePort()] as const),
  );
  const routes = ports.map(([, routed]) => `nats://127.0.0.1:${routed}`).join(",");
  const cluster = (routed: number) =>
    count === 1 ? [] : ["--cluster_name", "test", "--cluster", `nats://127.0.0.1:${routed}`, "--routes", routes];
  return Promise.all(
    ports.map(async ([port, routed]) => {
      const started: ChildProcess[] = [];
      over(() => {
        for (const child of started) child.kill("SIGKILL");
      });
      const launch = async (): Promise<ChildProcess> => {
        const options = ["-a", "127.0.0.1", "-p", String(port), ...cluster(routed), ...args];
        const child = spawn("nats-server", options, { stdio: "ignore" });
        started.push(child);
        await until(() => child.exitCode !== null || answers(port), "the start of nats-server");
        return child;
      };
      const server: NatsServer = {
        url: `nats://127.0.0.1:${port}`,
        child: await launch(),
        async again() {
          server.child = await launch();
        },
      };
      return server;
    }),
  );
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => resolve(false)).on("close", () => resolve(false));
    socket.on("data", () => {
      resolve(true);
      socket.destroy();
    });
  });
}
