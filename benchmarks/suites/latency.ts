import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { callApi } from "../stage/api.ts";
import { median, percentile, reached, table, type TargetResult } from "../report/report.ts";
import { providerOn } from "../load/emails.ts";
import { makeRequests } from "../load/requests.ts";
import { seedPeople } from "../stage/seed.ts";
import { type SmtpSink, startSmtpSink } from "../sinks/smtp-sink.ts";
import { onStage, type StageOptions } from "../stage/stage.ts";
import { ORDER_CONFIRMATION } from "./trigger.ts";

/** Measures from the first byte of a request to the "250" of the SMTP server that accepts the message, while nothing else runs. */
export async function latency(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const samples = smoke ? 10 : 300;
  const people = 1_000;
  return onStage({ ...options, roles: "api,worker" }, async (stage) => {
    await seedPeople(stage, people);
    const [bareSink, ourSink] = [await startSmtpSink(), await startSmtpSink()];
    const floor = await stage.floor("latency", { FLOOR_SMTP: String(bareSink.port) });
    await callApi(stage, "/api/v1/providers", providerOn(ourSink.port));
    await callApi(stage, "/api/v1/transactionals", ORDER_CONFIRMATION);
    const of = (path: string) => makeRequests({ kind: "trigger", path, key: stage.secretKey, people }, 42);
    const bare = pipeline(floor.port, of("/trigger"), bareSink);
    const ours = pipeline(stage.service.port, of("/data-gateway/transactionals/email"), ourSink);
    const times: { bare: Times[]; ours: Times[] } = { bare: [], ours: [] };
    for (let i = 0; i < (smoke ? 2 : 30); i++) {
      await bare.once();
      await ours.once();
    }
    for (let i = 0; i < samples; i++) {
      times.bare.push(await bare.once());
      times.ours.push(await ours.once());
    }
    for (const end of [bare, ours]) end.close();
    console.log(`${samples} samples each, one at a time, in turns\n`);
    const row = (name: string, found: Times[]) => [
      name,
      median(found.map((t) => t.answered)).toFixed(2),
      median(found.map((t) => t.taken)).toFixed(2),
      percentile(
        found.map((t) => t.taken),
        0.99,
      ).toFixed(2),
    ];
    table(
      ["", "202 median ms", "250 median ms", "250 p99 ms"],
      [row("Fastify, one insert, nodemailer's pool", times.bare), row("Tidings", times.ours)],
    );
    const ratio = median(times.ours.map((t) => t.taken)) / median(times.bare.map((t) => t.taken));
    return [reached("median to 250, ours / bare", ratio, ["<=", 4], "x")];
  });
}

/** Milliseconds from the request's start to its 202 and to the 250. */
interface Times {
  answered: number;
  taken: number;
}

function pipeline(port: number, next: () => string, sink: SmtpSink) {
  const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
  return {
    /** Sends one message, and then waits until the server has finished its work after the 250. */
    async once(): Promise<Times> {
      const answer = new Promise<number>((resolve, reject) => {
        socket.once("error", reject);
        socket.once("data", (bytes) => {
          socket.off("error", reject);
          if (bytes.toString("latin1", 9, 12) === "202") resolve(performance.now());
          else reject(new Error(`not a 202: ${bytes.toString("utf8").slice(0, 800)}`));
        });
      });
      const started = performance.now();
      socket.write(next());
      const [answered, taken] = await Promise.all([answer, within(sink.nextMessage(), 10_000)]);
      await sleep(20);
      return { answered: answered - started, taken: taken - started };
    },
    close() {
      socket.destroy();
      sink.close();
    },
  };
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      work,
      sleep(ms, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`no message reached the SMTP server within ${ms} ms`);
      }),
    ]);
  } finally {
    timer.abort();
  }
}
