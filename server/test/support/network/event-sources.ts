import { execFileSync } from "node:child_process";
import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";

/** Whether this process and one that it starts may open so many sockets. Without it a test is skipped with a message; CI must have it. */
export function haveFiles(count: number): boolean {
  // Node raises its soft limit to the hard one when it starts, and its children inherit that.
  const limit = execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }).trim();
  if (limit === "unlimited" || Number(limit) >= count) return true;
  if (process.env.CI === "true") throw new Error(`a test needs ${count} open files, and "ulimit -Hn" is ${limit}`);
  console.warn(`SKIPPED: a test needs ${count} open files, and "ulimit -Hn" is ${limit}`);
  return false;
}

export interface EventSources {
  /** The number of open streams. */
  open(): number;
  /** Returns the `retry:` that each stream got before it ended, in ms, and forgets them. */
  waits(): number[];
  /** Answers that end an EventSource for ever: all except 200. */
  refusals: string[];
  /** The delivery ids that the syncs of a person returned. */
  seen: Map<string, Set<string>>;
  close(): void;
}

/**
 * Opens one stream for each person, on raw sockets, as a browser's EventSource does: a stream that ends or can't connect is opened
 * again after the last `retry:`. Each opening and each event is followed by a sync, because the stream is only a hint.
 */
export function eventSources(address: string, key: string, people: string[]): EventSources {
  const { port } = new URL(address);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const refusals: string[] = [];
  const seen = new Map<string, Set<string>>();
  let opened = 0;
  let told: number[] = [];
  let over = false;

  function later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  }

  function sync(person: string): void {
    const url = `${address}/data-gateway/v1/in-app/messages/sync?person_id=${person}&api_key=${key}`;
    deliveriesOf(url, agent, (ids) => {
      if (ids) seen.set(person, new Set([...(seen.get(person) ?? []), ...ids]));
      else if (!over) later(1_000, () => sync(person));
    });
  }

  function open(person: string, retry: number): void {
    const path = `/data-gateway/v1/in-app/messages/stream?person_id=${person}&api_key=${key}`;
    let isOpen = false;
    const socket = streamOf(Number(port), path, retry, {
      refused: (answer) => refusals.push(answer),
      opened() {
        isOpen = true;
        opened++;
        sync(person);
      },
      event: () => sync(person),
      closed(wait) {
        sockets.delete(socket);
        if (over) return;
        if (isOpen) {
          opened--;
          told.push(wait);
        }
        later(wait, () => open(person, wait));
      },
    });
    sockets.add(socket);
  }

  // 500 a second, as they would connect over a day: the test is about how they reconnect.
  for (const [i, person] of people.entries()) later(i * 2, () => open(person, 3_000));
  return {
    open: () => opened,
    waits() {
      const waits = told;
      told = [];
      return waits;
    },
    refusals,
    seen,
    close() {
      over = true;
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      agent.destroy();
    },
  };
}

/** Gives the delivery ids that a sync returns, or undefined if it fails. */
function deliveriesOf(url: string, agent: Agent, done: (ids: string[] | undefined) => void): void {
  const failed = () => done(undefined);
  const request = get(url, { agent }, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    response.on("error", failed).on("end", () => {
      if (response.statusCode !== 200) return failed();
      done((JSON.parse(text) as { delivery_id: string }[]).map((one) => one.delivery_id));
    });
  });
  request.on("error", failed);
}

interface Listener {
  /** An answer that is not 200. */
  refused(answer: string): void;
  opened(): void;
  event(): void;
  /** With the last `retry:`, in ms. */
  closed(wait: number): void;
}

function streamOf(port: number, path: string, retry: number, listener: Listener): Socket {
  let text = "";
  let wait = retry;
  let isOpen = false;
  const socket = connect({ port, host: "127.0.0.1" });
  socket.setEncoding("latin1");
  socket.once("connect", () => socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`));
  socket.on("data", (chunk: unknown) => {
    text += String(chunk);
    if (text.startsWith("HTTP/1.1 ") && !text.startsWith("HTTP/1.1 200")) listener.refused(text);
    if (!isOpen && text.includes(": connected\n\n")) {
      isOpen = true;
      listener.opened();
    }
    if (text.includes("event: sync\n")) listener.event();
    wait = Number([...text.matchAll(/retry: (\d+)\n\n/g)].at(-1)?.[1] ?? wait);
    // Removes the head and complete events from the buffer; an incomplete event stays.
    const end = text.lastIndexOf("\n\n");
    if (end !== -1) text = text.slice(end + 2);
  });
  socket.on("error", () => {});
  socket.once("close", () => listener.closed(wait));
  return socket;
}
