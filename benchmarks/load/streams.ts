import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface StreamEvent {
  /** The number of the event's stream. */
  stream: number;
  deliveryId: string;
  /** The time at which it arrived: performance.now(). */
  at: number;
}

export interface Streams {
  /** Waits for this many events and returns all so far. @throws Error after 15 s */
  events(count: number): Promise<StreamEvent[]>;
  forget(): void;
  close(): void;
}

/** Opens event streams on raw sockets, 100 at a time, and waits for the first line of each. */
export async function openStreams(
  port: number,
  count: number,
  path: (n: number) => string,
  key: string,
): Promise<Streams> {
  const sockets: Socket[] = [];
  let events: StreamEvent[] = [];
  for (let from = 0; from < count; from += 100) {
    const opening = Array.from({ length: Math.min(100, count - from) }, (_, i) =>
      openStream(
        port,
        `GET ${path(from + i)} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\nx-api-key: ${key || "none"}\r\n\r\n`,
        (deliveryId) => events.push({ stream: from + i, deliveryId, at: performance.now() }),
      ),
    );
    sockets.push(...(await Promise.all(opening)));
  }
  return {
    async events(wanted) {
      for (const end = Date.now() + 15_000; events.length < wanted; await sleep(10)) {
        if (Date.now() > end) throw new Error(`${events.length} of ${wanted} events arrived within 15 s`);
      }
      return events;
    },
    forget() {
      events = [];
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function openStream(port: number, request: string, heard: (deliveryId: string) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.setEncoding("latin1");
    socket.once("connect", () => socket.write(request));
    socket.once("error", reject);
    socket.on("data", (chunk: unknown) => {
      text += String(chunk);
      // The first line is ": connected", or nchan's ": hi".
      if (/^: (connected|hi)\n\n/m.test(text)) resolve(socket);
      else if (text.includes("\r\n\r\n") && !text.startsWith("HTTP/1.1 200")) reject(new Error(text.slice(0, 800)));
      for (const [, data] of text.matchAll(/^data: (\{.*\})\n\n/gm)) {
        heard((JSON.parse(data as string) as { delivery_id: string }).delivery_id);
      }
      // An incomplete event stays in the text; the head and complete events are removed.
      const end = text.lastIndexOf("\n\n");
      if (end !== -1) text = text.slice(end + 2);
    });
  });
}
