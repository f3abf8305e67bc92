import { connectionLost, lost } from "../platform/call/connection.ts";
import { signedInAgain } from "../platform/call/session.ts";
import { createParser, type SentEvent } from "./parser.ts";

/** The stream is open; it is opened again; or the service does not give it to this member. */
export type StreamState = "open" | "waiting" | "refused";

interface StreamOptions {
  workspace: string;
  event(sent: SentEvent): void;
  /** Entries up to this position were told. */
  position(cursor: string): void;
  state(state: StreamState): void;
  /** The stream has begun. Not `continued`: what happened before is not told. */
  opened(continued: boolean): void;
}

export interface Stream {
  /** Ends the connection. `open` continues after the last event. */
  close(): void;
  open(): void;
}

/** The service sends a heartbeat every 20 s: a connection that says nothing for so long is dead. */
const SILENT_MS = 45_000;
/** Who was away for longer reads the lists anew: a busy log has 60,000 entries in five minutes, and nobody reads them one by one. */
const CONTINUES_MS = 5 * 60_000;
const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 30_000;

/** How long to wait before another attempt: twice as long after each failure, and not for all pages at the same moment. */
export const waitAfter = (failures: number, random: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures, 10), MOST_WAIT_MS) * (0.5 + random / 2);

/** One connection to GET /live, kept open until it is closed. */
export function createStream(options: StreamOptions): Stream {
  let at = "";
  let heardAt = Date.now();
  let running: AbortController | undefined;

  async function keepOpen(stop: AbortSignal): Promise<void> {
    let failures = 0;
    while (!stop.aborted) {
      const before = heardAt;
      const end = await listen(stop);
      if (stop.aborted) return;
      if (end.refused) return options.state("refused");
      options.state("waiting");
      failures = heardAt > before ? 0 : failures + 1;
      await pause(end.retryMs ?? waitAfter(failures, Math.random()), stop);
    }
  }

  /** Reads one connection to its end. */
  async function listen(stop: AbortSignal): Promise<{ retryMs?: number; refused?: boolean }> {
    const silence = new AbortController();
    const signal = AbortSignal.any([stop, silence.signal]);
    if (Date.now() - heardAt > CONTINUES_MS) at = "";
    const answer = await ask(options.workspace, at, signal);
    if (!answer?.body) return {};
    if (!answer.ok) {
      const refusal = await refusalOf(answer, at !== "");
      if (refusal.anew) at = "";
      return refusal;
    }
    let retryMs: number | undefined;
    let begun = false;
    const parse = createParser({
      event: options.event,
      retry: (ms) => {
        retryMs = ms;
      },
      position: (id) => {
        const continued = at !== "";
        at = id;
        options.position(id);
        if (begun) return;
        begun = true;
        options.state("open");
        options.opened(continued);
      },
    });
    try {
      await readAll(answer.body, silence, (text) => {
        parse(text);
        if (begun) heardAt = Date.now();
      });
      return retryMs === undefined ? {} : { retryMs };
    } catch {
      // Cut off in the middle: the hint of its beginning is for a stream that ended.
      return {};
    }
  }

  return {
    open() {
      if (running) return;
      running = new AbortController();
      void keepOpen(running.signal);
    },
    close() {
      running?.abort();
      running = undefined;
      options.state("waiting");
    },
  };
}

/** What a refused stream means: nothing, to begin `anew`, or that this member does not get it. */
async function refusalOf({ status }: Response, continued: boolean): Promise<{ anew?: boolean; refused?: boolean }> {
  if (status === 401) await signedInAgain();
  // A position that the service does not know, as after an update.
  if (status === 400 && continued) return { anew: true };
  return { refused: status === 400 || status === 403 || status === 404 };
}

/** Reads a stream to its end, and aborts it where it says nothing for too long. @throws what cut it off */
async function readAll(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  silence: AbortController,
  take: (text: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let timer = setTimeout(() => silence.abort(), SILENT_MS);
  try {
    for await (const chunk of chunksOf(body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENT_MS);
      take(decoder.decode(chunk, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Browsers whose streams can't be iterated (Safari) have a reader. */
async function* chunksOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Undefined if the service was not reached. */
async function ask(workspace: string, at: string, signal: AbortSignal): Promise<Response | undefined> {
  const headers = { "x-tidings-workspace": workspace, ...(at && { "last-event-id": at }) };
  return fetch("/api/v1/live", { headers, signal, cache: "no-store" }).catch(() => {
    if (!signal.aborted) lost();
    return undefined;
  });
}

/** Waits, but no longer than until a lost connection is there again. */
function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopHearing();
      stop.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stopHearing = connectionLost.subscribe(() => {
      if (!connectionLost.get()) end();
    });
    stop.addEventListener("abort", end);
  });
}
