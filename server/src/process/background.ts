import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { House } from "../house.ts";
import type { Config } from "../platform/config.ts";
import { type Log, writeLinesOf } from "../platform/log.ts";
import { nameOfNode } from "../platform/signals/index.ts";
import { otherThread, type Told } from "../platform/threads/other-thread.ts";
import { lastCall } from "../platform/work/callers.ts";
import { SLICES } from "../slices.ts";
import type { Started } from "../workspaces/index.ts";
import type { GroundOptions, Twin } from "./open.ts";

/** What the thread of the background work begins with. */
export interface Given extends Pick<Twin, "node" | "lastCall"> {
  config: Config;
  databaseUrl: string;
  encryptionKey: Uint8Array;
  port: MessagePort;
}

/** The thread works. */
export const STARTED: Told<undefined> = "background.started";
/** It finishes or releases what is under way. */
export const STOP: Told<undefined> = "background.stop";
export const STOPPED: Told<undefined> = "background.stopped";
/** It closes its connections and ends. */
export const END: Told<undefined> = "background.end";

/** The thread of the background work, for the thread that answers requests. */
export interface Background {
  twin: Twin;
  /** Connects the slices with it, and waits until it works. */
  begin(house: House): Promise<void>;
  /** Finishes or releases what is under way. What requests queue meanwhile is still taken. */
  stop(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Starts the thread that does the background work of a process with both roles: no request waits for its turns, and two processors are used
 * (docs/decisions/0071-a-thread-for-background-work.md). An error that nobody catches there is thrown here, so it ends the process.
 */
export function startBackground(config: Config, options: GroundOptions, log: Log): Background {
  const { port1, port2 } = new MessageChannel();
  const other = otherThread(port1, (error) =>
    log.error({ err: error }, "a message of the background work was not taken"),
  );
  writeLinesOf(other, log);
  const shared = { node: nameOfNode(), lastCall: lastCall() };
  const { databaseUrl, encryptionKey } = options;
  const given: Given = { ...shared, config, databaseUrl, encryptionKey, port: port2 };
  const thread = new Worker(new URL("./background-thread.ts", import.meta.url), {
    name: "background work",
    workerData: given,
    transferList: [port2],
  });
  const started = Promise.withResolvers<void>();
  started.promise.catch(() => {});
  const stopped = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let works = false;
  let isOver = false;
  const failed = (error: unknown) => {
    if (isOver) return;
    isOver = true;
    if (works) throw error;
    started.reject(error);
  };
  other.on(STARTED, () => {
    works = true;
    started.resolve();
  });
  other.on(STOPPED, stopped.resolve);
  thread.on("error", failed);
  thread.on("exit", () => {
    port1.close();
    stopped.resolve();
    ended.resolve();
    failed(new Error("the thread of the background work has ended"));
  });
  let beside: Started[] = [];
  return {
    twin: { ...shared, other, does: "requests" },
    begin(house) {
      beside = SLICES.flatMap((slice) => slice.startBeside?.(house, other) ?? []);
      return started.promise;
    },
    async stop() {
      await Promise.all(beside.map((one) => one.stop()));
      other.tell(STOP, undefined);
      await stopped.promise;
    },
    async end() {
      isOver = true;
      other.tell(END, undefined);
      await ended.promise;
    },
  };
}
