import { Agent, type IncomingMessage, request } from "node:http";

export interface Call {
  method: "GET" | "POST";
  path: string;
  key: string;
  body?: object;
  /** Makes a repeat of the call safe. */
  idempotencyKey?: string;
}

interface Answer {
  status: number;
  text: string;
}

/** Clients behind a load balancer that knows nothing: each call goes to the next node, and to another one once if it fails. */
export interface RetryingClient {
  /** Returns the answer; undefined if both tries failed. */
  call(call: Call): Promise<Answer | undefined>;
  /** How many calls were made, and why tries and calls failed. */
  counts: { calls: number; retries: Map<string, number>; failures: Map<string, number> };
  close(): void;
}

/** The longest time that a client waits for one answer. */
const PATIENCE_MS = 15_000;

export function retryingClient(ports: number[]): RetryingClient {
  const agents = ports.map(() => new Agent({ keepAlive: true, maxSockets: 64 }));
  const counts = { calls: 0, retries: new Map<string, number>(), failures: new Map<string, number>() };
  let turn = 0;
  const add = (to: Map<string, number>, why: string) => to.set(why, (to.get(why) ?? 0) + 1);

  function once(node: number, call: Call): Promise<Answer | string> {
    const { method, path, key, body, idempotencyKey } = call;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${key}`,
      ...(text !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    };
    return new Promise((resolve) => {
      const asked = request({ port: ports[node], host: "127.0.0.1", method, path, headers, agent: agents[node] });
      asked.setTimeout(PATIENCE_MS, () => asked.destroy(new Error("no answer in time")));
      asked.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      asked.on("response", (answer: IncomingMessage) => {
        let read = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          read += part;
        });
        answer.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: read }));
      });
      asked.end(text);
    });
  }

  return {
    counts,
    async call(call) {
      counts.calls++;
      const node = turn++ % ports.length;
      const first = await once(node, call);
      if (isDone(first)) return first;
      add(counts.retries, whyOf(first));
      const second = await once((node + 1) % ports.length, call);
      if (isDone(second)) return second;
      add(counts.failures, `${call.path.split("?")[0]}: ${whyOf(first)}, then ${whyOf(second)}`);
      return undefined;
    },
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

const isDone = (answer: Answer | string): answer is Answer =>
  typeof answer !== "string" && answer.status >= 200 && answer.status < 300;

const whyOf = (answer: Answer | string): string =>
  typeof answer === "string" ? answer : `${answer.status} ${answer.text.slice(0, 200)}`;
