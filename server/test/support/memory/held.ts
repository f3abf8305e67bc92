import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Running, serve } from "../tidings.ts";
import { until } from "../wait.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Returns the bytes of this process's heap after a full collection. */
export function heldHere(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** A service in a process of its own, so that nothing of other test files is in its memory. */
export interface Measured extends Running {
  /** Returns its memory after a full collection, in bytes. */
  held(): Promise<NodeJS.MemoryUsage>;
}

/** Starts a service whose memory can be read, through the inspector of its process. */
export async function measured(env: Record<string, string>): Promise<Measured> {
  const service = await serve({ ...env, NODE_OPTIONS: "--inspect=127.0.0.1:0" });
  const address = /ws:\/\/127\.0\.0\.1:\S+/.exec(service.output())?.[0];
  if (address === undefined) throw new Error(`no inspector listens:\n${service.output()}`);
  const inspector = new WebSocket(address);
  const answers = new Map<number, { result: { result: { value: string } } }>();
  inspector.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(data);
    answers.set(answer.id, answer);
  });
  await until(() => inspector.readyState === WebSocket.OPEN, "the inspector");
  let asked = 0;
  const ask = (method: string, params = {}) => {
    const id = ++asked;
    inspector.send(JSON.stringify({ id, method, params }));
    return until(() => answers.get(id), `the answer to ${method}`);
  };
  return {
    ...service,
    async held() {
      await ask("HeapProfiler.collectGarbage");
      const expression = "JSON.stringify(process.memoryUsage())";
      return JSON.parse((await ask("Runtime.evaluate", { expression })).result.result.value);
    },
  };
}
