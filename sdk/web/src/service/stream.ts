import type { Calls } from "./calls.ts";
import type { Answer, Environment, Reader } from "../browser/environment.ts";

const FIRST_WAIT_MS = 2_000;
/** The service came back after a restart: everybody is there again within this time, and not all at once. */
const LONGEST_WAIT_MS = 30_000;
/** A stream that ends sooner counts as a failure: a full node answers, says "later" and closes. */
const LASTING_MS = 10_000;
/** The service says something every 20 s. */
const SILENCE_MS = 50_000;

/** What one connection tells. Exactly one `lost` ends it, unless it is closed before. */
interface Heard {
  open(): void;
  sync(): void;
  lost(): void;
}

/**
 * Keeps a stream open and calls `hint` whenever it is time to sync: an event came, the stream was opened (what came before
 * was missed), or could not be opened (a sync tells why: EventSource hides the status, and a token may have expired).
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
    const heard: Heard = {
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
    close = connect(env, calls, personId, heard);
  }

  begin();
  return {
    /** The device is online again, or the person is back: no use in waiting on. */
    nudge(): void {
      if (!cancel) return;
      cancel();
      // An office whose network returns must not come as one.
      cancel = env.later(begin, env.random() * 1_000);
    },
    close(): void {
      ended = true;
      cancel?.();
      close();
    },
  };
}

/** Opens one connection; gives the function that closes it. */
function connect(env: Environment, calls: Calls, personId: string, heard: Heard): () => void {
  // The service takes a key in an address only where everybody may know it.
  const native = calls.isPublic ? env.eventSource : undefined;
  let close = () => {};
  let closed = false;
  calls
    .stream(personId, native !== undefined)
    .then(async ({ url, headers }) => {
      if (closed) return;
      if (!native)
        return readStream(env, await env.fetch(url, { method: "GET", headers }), heard, (end) => onClose(end));
      const source = native(url);
      onClose(() => source.close());
      source.onopen = heard.open;
      // By itself it would try again without jitter after some ends, and after others never.
      source.onerror = heard.lost;
      source.addEventListener("sync", heard.sync);
    })
    .catch(heard.lost);

  function onClose(end: () => void): void {
    close = end;
    if (closed) end();
  }
  return () => {
    closed = true;
    close();
  };
}

/** Reads a stream for browsers without EventSource, and for keys that must not stand in an address. */
async function readStream(
  env: Environment,
  answer: Answer,
  heard: Heard,
  onClose: (end: () => void) => void,
): Promise<void> {
  if (answer.status !== 200 || !answer.body) return heard.lost();
  const reader: Reader = answer.body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  onClose(stop);
  heard.open();
  let line = "";
  for (;;) {
    const cancel = env.later(stop, SILENCE_MS);
    const { done, value = [] } = await reader.read();
    cancel();
    if (done) return heard.lost();
    for (const byte of value) {
      // The words that matter are ASCII; data is not looked at, because the event is a hint.
      if (byte !== 10) line += String.fromCharCode(byte);
      else {
        if (/^event: ?sync\r?$/.test(line)) heard.sync();
        line = "";
      }
      if (line.length > 1_000) line = " ";
    }
  }
}
