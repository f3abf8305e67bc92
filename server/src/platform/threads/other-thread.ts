import type { MessagePort } from "node:worker_threads";

/** The name of a message between the two threads, with the type of what it carries. */
export type Told<T> = string & { readonly carries?: T };

/** The other one of the two threads of this process: one answers requests, the other one does the background work. */
export interface OtherThread {
  /** Sends a copy of `message`, which may contain what structuredClone copies. It is lost if the other thread has ended. */
  tell<T>(what: Told<T>, message: T): void;
  /** Calls `hear` with each such message of the other thread. Messages arrive in the order in which they were sent. */
  on<T>(what: Told<T>, hear: (message: T) => void): void;
}

interface Sent {
  what: string;
  message: unknown;
}

/**
 * Makes the other thread of a port. A message that nobody listens to is dropped.
 * @param failed is told of an error of a hearer: the others get the message all the same
 */
export function otherThread(port: MessagePort, failed: (error: unknown) => void): OtherThread {
  const hearers = new Map<string, ((message: never) => void)[]>();
  port.on("message", ({ what, message }: Sent) => {
    for (const hear of hearers.get(what) ?? []) {
      try {
        hear(message as never);
      } catch (error) {
        failed(error);
      }
    }
  });
  return {
    tell: (what, message) => port.postMessage({ what, message } satisfies Sent),
    on(what, hear) {
      hearers.set(what, [...(hearers.get(what) ?? []), hear]);
    },
  };
}

/** Milliseconds of a clock that all threads of the process share and that never jumps: performance.now() begins anew in each thread. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6;

const ORIGIN = sharedNow() - performance.now();

/** Turns a time of this thread's performance.now() into one that the other thread understands. */
export const toShared = (ms: number): number => ms + ORIGIN;

/** Turns a time of the other thread, made by `toShared`, into one of this thread's performance.now(). */
export const fromShared = (ms: number): number => ms - ORIGIN;
