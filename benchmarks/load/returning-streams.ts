import { connect, type Socket } from "node:net";

export interface ReturningStreams {
  open(): number;
  close(): void;
}

interface Options {
  ports: number[];
  /** The path of a stream, with its credential, by its number. */
  path(n: number): string;
  count: number;
  /** Called when a stream opens and at each of its events: a client then syncs. */
  hint(n: number): void;
}

/** Streams a second that open at the beginning. */
const A_SECOND = 500;

/**
 * Keeps event streams open as an EventSource behind a load balancer does: a stream that ends opens again after its last `retry:`, on the next
 * node; where a node refuses the connection, the balancer tries the next one at once.
 */
export function returningStreams({ ports, path, count, hint }: Options): ReturningStreams {
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  let opened = 0;
  let over = false;

  function later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  }

  function open(n: number, node: number, retry: number): void {
    let [text, wait, isOpen, isConnected] = ["", retry, false, false];
    const socket = connect({ port: ports[node % ports.length] as number, host: "127.0.0.1", noDelay: true });
    sockets.add(socket);
    socket.setEncoding("latin1").once("connect", () => {
      isConnected = true;
      socket.write(`GET ${path(n)} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n`);
    });
    socket.on("data", (chunk: unknown) => {
      text += String(chunk);
      if (!isOpen && text.includes(": connected\n\n")) {
        isOpen = true;
        opened++;
        hint(n);
      }
      if (text.includes("event: sync\n")) hint(n);
      wait = Number([...text.matchAll(/retry: (\d+)\n\n/g)].at(-1)?.[1] ?? wait);
      // Complete events are removed; an incomplete one stays.
      const end = text.lastIndexOf("\n\n");
      if (end !== -1) text = text.slice(end + 2);
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      sockets.delete(socket);
      if (isOpen) opened--;
      if (!over) later(isConnected ? wait : 0, () => open(n, node + 1, wait));
    });
  }

  for (let n = 0; n < count; n++) later((n * 1_000) / A_SECOND, () => open(n, n, 3_000));
  return {
    open: () => opened,
    close() {
      over = true;
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}
