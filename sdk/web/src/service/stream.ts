import type { Calls } from "./calls.ts";
import type { Answer, Environment, Reader } from "../browser/environment.ts";

const FIRST_WAIT_MS = 2_000;
/** After a restart of the service every client is connected again within this time, and not all at once. */
const LONGEST_WAIT_MS = 30_000;
/** A stream that ends sooner counts as a failure: a full process answers, asks to come later and closes. */
const LASTING_MS = 10_000;
/** A stream that is silent for this long is dead: the service sends something every 20 s. */
const SILENCE_MS = 50_000;

/** What a connection reports. Exactly one `lost` ends it, unless it is closed before. */
interface ConnectionEvents {
  open(): void;
  sync(): void;
  lost(): void;
}

/**
 * Keeps a stream open and calls `hint` whenever it is time to sync: an event came, the stream was opened (earlier events were
 * missed), or it could not be opened (a sync shows why: EventSource hides the status, and a token may have expired).
 */
export function keepStream(env: Environment, calls: Calls, personId: string, hint: () => void) {
  let failures = 0;
  let close = () => {};
  let cancel: (() => void) | undefined;
  let ended = false;

  function begin(): void {
    let opened = false;
    let over = false;
    let cancelLasting = () => {};
    cancel = undefined;
    const events: ConnectionEvents = {
      open() {
        opened = true;
        cancelLasting = env.later(() => (failures = 0), LASTING_MS);
        hint();
      },
      sync: hint,
      lost() {
        if (over || ended) return;
        over = true;
        cancelLasting();
        close();
        const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++);
        cancel = env.later(begin, wait * (0.5 + env.random() / 2));
        if (!opened) hint();
      },
    };
    close = connect(env, calls, personId, events);
  }

  begin();
  return {
    /** Called when the device is online again or the person is back: ends a wait. */
    nudge(): void {
      if (!cancel) return;
      cancel();
      // Chance spreads the clients of an office whose network returns.
      cancel = env.later(begin, env.random() * 1_000);
    },
    close(): void {
      ended = true;
      cancel?.();
      close();
    },
  };
}

/** Opens one connection; returns the function that closes it. */
function connect(env: Environment, calls: Calls, personId: string, events: ConnectionEvents): () => void {
  // The service accepts only a public key in an address, and EventSource can't set headers.
  const native = calls.isPublic ? env.eventSource : undefined;
  let close = () => {};
  let closed = false;
  calls
    .stream(personId, native !== undefined)
    .then(async ({ url, headers }) => {
      if (closed) return;
      if (!native)
        return readStream(env, await env.fetch(url, { method: "GET", headers }), events, (end) => onClose(end));
      const source = native(url);
      onClose(() => source.close());
      source.onopen = events.open;
      // By itself EventSource reconnects without jitter after some errors, and never after others.
      source.onerror = events.lost;
      source.addEventListener("sync", events.sync);
    })
    .catch(events.lost);

  function onClose(end: () => void): void {
    close = end;
    if (closed) end();
  }
  return () => {
    closed = true;
    close();
  };
}

/** Reads a stream by fetch, for browsers without EventSource and for keys that must not be part of an address. */
async function readStream(
  env: Environment,
  answer: Answer,
  events: ConnectionEvents,
  onClose: (end: () => void) => void,
): Promise<void> {
  if (answer.status !== 200 || !answer.body) return events.lost();
  const reader: Reader = answer.body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  onClose(stop);
  events.open();
  let line = "";
  for (;;) {
    const cancel = env.later(stop, SILENCE_MS);
    const { done, value = [] } = await reader.read();
    cancel();
    if (done) return events.lost();
    for (const byte of value) {
      // The line that matters is ASCII. The data of an event is ignored, because the event is only a hint.
      if (byte !== 10) line += String.fromCharCode(byte);
      else {
        if (/^event: ?sync\r?$/.test(line)) events.sync();
        line = "";
      }
      if (line.length > 1_000) line = " ";
    }
  }
}
