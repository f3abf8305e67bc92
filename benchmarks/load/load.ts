import type { RequestsOf } from "./requests.ts";
import { type Child, startChild } from "../processes/children.ts";

export interface LoadPlan {
  port: number;
  connections: number;
  /** Seconds to run; infinite: until `end`. */
  seconds: number;
  /** Ends after this many requests, if they come first. */
  count?: number;
  /**
   * Requests a second, sent at this rate even while answers are late. Latency counts from when a request was due: at 200 a second
   * a server that stops for a second is late 200 times, where a loop that waits for answers would notice it once.
   */
  perSecond?: number;
  /** The status that every answer must have. */
  expect: number;
  requests: RequestsOf;
  /** Two runs with one seed send the same requests in the same order. */
  seed: number;
}

export interface LoadResult {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  statuses: Record<string, number>;
  /** The first answer with another status than expected. */
  refused: string | undefined;
  /** Microseconds of the generator's own CPU for each request, to check that it is not the bottleneck. */
  cpuMicros: number;
}

export interface Load {
  run(plan: LoadPlan): Promise<LoadResult>;
  /** Runs beside other work until `end`, which returns the result. */
  beside(plan: Omit<LoadPlan, "seconds">): { end(): Promise<LoadResult> };
}

/** Starts the generator's process; it makes one run at a time. @throws Error from `run` when an answer was not the expected one */
export async function startLoad(): Promise<Load & Child> {
  const child = await startChild({ file: new URL("./load-child.ts", import.meta.url) });
  async function run(plan: LoadPlan): Promise<LoadResult> {
    // JSON has no infinity.
    const result = await child.ask<LoadResult | { error: string }>({ ...plan, seconds: Math.min(plan.seconds, 1e6) });
    if ("error" in result) throw new Error(`the load failed: ${result.error}`);
    if (result.refused !== undefined)
      throw new Error(`not every answer was a ${plan.expect}: ${JSON.stringify(result.statuses)}\n${result.refused}`);
    if (result.requests === 0) throw new Error("no request was answered");
    return result;
  }
  return {
    ...child,
    run,
    beside(plan) {
      const running = run({ ...plan, seconds: Number.POSITIVE_INFINITY });
      running.catch(() => {});
      return {
        end() {
          child.tell("end");
          return running;
        },
      };
    },
  };
}
