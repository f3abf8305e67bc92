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
    const again = () => !over && later(1_000, () => sync(person));
    const url = `${address}/data-gateway/v1/in-app/messages/sync?person_id=${person}&api_key=${key}`;
    const request = get(url, { agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", again).on("end", () => {
        if (response.statusCode !== 200) return again();
        const ids = seen.get(person) ?? new Set<string>();
        for (const one of JSON.parse(text) as { delivery_id: string }[]) ids.add(one.delivery_id);
        seen.set(person, ids);
      });
    });
    request.on("error", again);
  }

  function open(person: string, retry: number): void {
    let text = "";
    let wait = retry;
    let isOpen = false;
    const socket = connect({ port: Number(port), host: "127.0.0.1" });
    sockets.add(socket);
    socket.setEncoding("latin1");
    socket.once("connect", () =>
      socket.write(
        `GET /data-gateway/v1/in-app/messages/stream?person_id=${person}&api_key=${key} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`,
      ),
    );
    socket.on("data", (chunk: unknown) => {
      text += String(chunk);
      if (text.startsWith("HTTP/1.1 ") && !text.startsWith("HTTP/1.1 200")) refusals.push(text);
      if (!isOpen && text.includes(": connected\n\n")) {
        isOpen = true;
        opened++;
        sync(person);
      }
      if (text.includes("event: sync\n")) sync(person);
      wait = Number([...text.matchAll(/retry: (\d+)\n\n/g)].at(-1)?.[1] ?? wait);
      // Removes the head and complete events from the buffer; an incomplete event stays.
      const end = text.lastIndexOf("\n\n");
      if (end !== -1) text = text.slice(end + 2);
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      sockets.delete(socket);
      if (over) return;
      if (isOpen) {
        opened--;
        told.push(wait);
      }
      later(wait, () => open(person, wait));
    });
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
