import { connect, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import type { LoadPlan, LoadResult } from "./load.ts";
import { makeRequests } from "./requests.ts";

/**
 * The load generator, which runs in its own process. It shares two cores with the server and PostgreSQL, so it does as little as
 * possible: raw keep-alive sockets, one request under way on each, one read buffer a socket, a parser that reads only the
 * status and the length. Against a Fastify that answers "{}" it took 11 us of CPU a request, autocannon 14 to 17 (whose times
 * are whole milliseconds).
 */
function run(plan: LoadPlan): Promise<LoadResult> {
  const make = makeRequests(plan.requests, plan.seed);
  let left = plan.count ?? Number.POSITIVE_INFINITY;
  const next = () => (left-- > 0 ? make() : undefined);
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  let refused: string | undefined;
  let open = plan.connections;
  const started = performance.now();
  const cpu = process.cpuUsage();
  const until = started + plan.seconds * 1000;
  const pace = plan.perSecond === undefined ? undefined : 1000 / plan.perSecond;
  running = true;

  return new Promise((resolve, reject) => {
    const done = () => {
      if (--open > 0) return;
      const seconds = (performance.now() - started) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      const sorted = Float64Array.from(latencies).sort();
      const at = (share: number) =>
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
      resolve({
        requests: sorted.length,
        perSecond: sorted.length / seconds,
        p50: at(0.5),
        p99: at(0.99),
        statuses,
        refused,
        cpuMicros: (user + system) / Math.max(1, sorted.length),
      });
    };
    const answered = (status: number, took: number, answer: Buffer): boolean => {
      latencies.push(took);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== plan.expect) refused ??= answer.toString("utf8").slice(0, 800);
      return running && performance.now() < until;
    };
    for (let i = 0; i < plan.connections; i++) {
      const due = pace === undefined ? undefined : { next: started + i * pace, every: plan.connections * pace };
      converse({ port: plan.port, next, due, answered, done, failed: reject });
    }
  });
}

/** Whether the run may send further requests. */
let running = false;

interface Connection {
  port: number;
  /** Returns the next request, or undefined after the last one. */
  next: () => string | undefined;
  /** When the next request is due, and the milliseconds between two; without it a request follows each answer at once. */
  due: { next: number; every: number } | undefined;
  /** Called with each answer; returns whether another request follows. */
  answered: (status: number, took: number, answer: Buffer) => boolean;
  done: () => void;
  failed: (error: Error) => void;
}

/** Sends requests over one connection, each after the whole answer to the one before and not before it is due. */
function converse({ port, next, due, answered, done, failed }: Connection): void {
  let sent = 0;
  let kept: Buffer | undefined;
  const send = () => {
    sent = performance.now();
    if (due) {
      if (due.next > sent + 1) return void setTimeout(send, due.next - sent);
      sent = due.next;
      due.next += due.every;
    }
    const request = next();
    if (request === undefined) return void socket.end();
    socket.write(request, "latin1");
  };
  const socket: Socket = connect({
    port,
    host: "127.0.0.1",
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(65_536),
      callback(size, chunk) {
        const now = performance.now();
        const fresh = (chunk as Buffer).subarray(0, size);
        const bytes = kept ? Buffer.concat([kept, fresh]) : fresh;
        const whole = lengthOf(bytes);
        if (whole === undefined || bytes.length < whole) {
          kept = Buffer.from(bytes);
          return true;
        }
        kept = undefined;
        const status = (bytes[9] as number) * 100 + (bytes[10] as number) * 10 + (bytes[11] as number) - 5328;
        if (answered(status, now - sent, bytes)) send();
        else socket.end();
        return true;
      },
    },
  });
  socket.once("connect", send);
  socket.once("error", failed);
  socket.once("close", done);
}

/** Returns the bytes of the whole answer, or undefined while its head is incomplete. @throws Error for an answer without a length */
function lengthOf(bytes: Buffer): number | undefined {
  const head = bytes.indexOf("\r\n\r\n");
  if (head === -1) return undefined;
  const text = bytes.toString("latin1", 0, head + 2);
  const match = /\r\ncontent-length: *(\d+)\r\n/i.exec(text);
  if (match) return head + 4 + Number(match[1]);
  if (text.startsWith("HTTP/1.1 204")) return head + 4;
  throw new Error(`an answer without Content-Length:\n${text.slice(0, 500)}`);
}

process.on("message", (plan: LoadPlan | "end") => {
  if (plan === "end") {
    running = false;
    return;
  }
  run(plan).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
