import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { StreamEvent, Streams } from "./streams.ts";

export const AT_ONCE = 64;

/** The times at which a request's first byte was written and its answer arrived: performance.now(). */
interface Sent {
  started: number;
  answered: number;
}

/** The times of the events of requests that were sent one at a time, and of those sent 64 at once. */
export interface PublishTimes {
  alone: number[];
  atOnce: number[];
  /** The events of the requests sent at once, each with the times of its request. */
  events: (StreamEvent & Sent)[];
}

/**
 * Publishes to one person after the other while all streams are open. `request` returns the whole request for the n-th person,
 * ready for the socket. Times are milliseconds from a request's first byte to its event.
 */
export async function publish(
  port: number,
  streams: Streams,
  request: (n: number) => string,
  { alone, atOnce }: { alone: number; atOnce: number },
): Promise<PublishTimes> {
  const round = async (count: number, lanes: number) => {
    streams.forget();
    const sent = await sendAll(port, request, count, lanes);
    const events = await streams.events(count);
    // A stream gets at most one event in 250 ms: after this wait everybody can get the next one at once.
    await sleep(500);
    return events.map((event) => ({ ...event, ...(sent.get(event.stream) as Sent) }));
  };
  // A round that is not counted warms code and connections of the publishing path.
  await round(Math.min(AT_ONCE * 3, atOnce), AT_ONCE);
  const times = (events: (StreamEvent & Sent)[]) => events.map(({ at, started }) => at - started);
  const one = await round(alone, 1);
  const many = await round(atOnce, AT_ONCE);
  return { alone: times(one), atOnce: times(many), events: many };
}

/** Each lane is a connection that sends its next request when the last is answered. */
async function sendAll(port: number, request: (n: number) => string, count: number, lanes: number) {
  const sent = new Map<number, Sent>();
  const rest = Array.from({ length: count }, (_, n) => n).values();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      await once(socket, "connect");
      for (const n of rest) {
        const text = request(n);
        const started = performance.now();
        const answer = answered(socket);
        socket.write(text);
        await answer;
        sent.set(n, { started, answered: performance.now() });
      }
      socket.destroy();
    }),
  );
  return sent;
}

/** Waits for one whole answer. @throws Error with it unless it is 2xx */
function answered(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    const settle = (error?: Error) => {
      socket.off("data", take).off("error", settle).off("close", gone);
      if (error) reject(error);
      else resolve();
    };
    const gone = () => settle(new Error("the connection was closed before the answer"));
    const take = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < head + 4 + length) return;
      settle(/^HTTP\/1.1 2/.test(text) ? undefined : new Error(`not a 2xx: ${text.slice(0, 800)}`));
    };
    socket.on("data", take).once("error", settle).once("close", gone);
  });
}
