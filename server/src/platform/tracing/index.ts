import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { OtherThread } from "../threads/other-thread.ts";
import { NOT_TRACED, type Traces } from "./traces.ts";

export { traceRequests } from "./requests.ts";
export { NOT_TRACED, traced, type Traces } from "./traces.ts";

/** Returns the traces of this thread, which go on in the other one. OpenTelemetry is loaded only where it is switched on. */
export async function openTraces({ tracing }: Config, log: Log, other?: OtherThread): Promise<Traces> {
  if (!tracing) return NOT_TRACED;
  const { tracesOver } = await import("./otlp.ts");
  return tracesOver(tracing, log, other);
}
