import { validateHeaderValue } from "node:http";
import * as http2 from "node:http2";
import { version } from "../version.ts";
import { hostOf } from "./addresses.ts";
import { OutboundError, translated } from "./errors.ts";
import {
  aborted,
  type Fetcher,
  MOST_BYTES,
  type OutboundAnswer,
  type OutboundRequest,
  TIMEOUT_MS,
  webAddress,
} from "./fetcher.ts";
import { type WayOut, wayOut, type WayOutOptions } from "./way-out.ts";

/** Apple takes frequent new connections for an attack, so a connection stays open during pauses between messages. */
const IDLE_MS = 10 * 60_000;

/** A connection to one origin, with what decides when it ends. */
interface Line {
  session: http2.ClientHttp2Session;
  /** Calls that have not ended. */
  open: number;
  /** Takes no more calls; ends with the last of those it has. */
  retired: boolean;
  /** The last call that the other side says it looked at, once it went away (RFC 9113 6.8). */
  lastSeen: number;
}

/** The connections of a fetcher, at most one for each origin that takes calls. */
interface Lines {
  /** The one to an origin, made anew where there is none. */
  to(url: URL): Line;
  /** Gives it no more calls, and ends it with the last of those it has. */
  retire(line: Line): void;
  close(): void;
}

function keepLines(out: WayOut): Lines {
  const lines = new Map<string, Line>();
  const all = new Set<Line>();

  function retire(line: Line): void {
    line.retired = true;
    for (const [origin, known] of lines) if (known === line) lines.delete(origin);
    if (line.open === 0) line.session.destroy();
  }

  return {
    to(url) {
      const known = lines.get(url.origin);
      if (known && !known.session.closed && !known.session.destroyed) return known;
      const line = connect(url, out);
      lines.set(url.origin, line);
      all.add(line);
      // Calls that wait on it end by themselves; this one only keeps the process alive through an error.
      line.session.on("error", () => {});
      line.session.on("goaway", (_code, lastSeen) => {
        line.lastSeen = lastSeen;
        retire(line);
      });
      line.session.on("close", () => {
        retire(line);
        all.delete(line);
      });
      line.session.setTimeout(IDLE_MS, () => retire(line));
      return line;
    },
    retire,
    close() {
      for (const line of [...all]) {
        retire(line);
        line.session.destroy();
      }
    },
  };
}

/**
 * The way out for who speaks HTTP/2 only, under the same rules as `createFetcher`: the address is checked when connecting.
 * One connection for each origin is kept, and made anew when the other side goes away, when it stays silent or when it
 * breaks. A call that the other side surely did not look at is made once more, through a new connection.
 */
export function createHttp2Fetcher(options: WayOutOptions): Fetcher {
  const out = wayOut(options);
  const lines = keepLines(out);
  return {
    async fetchOut(target, request = {}) {
      const url = webAddress(target);
      out.admit(hostOf(url));
      if (request.signal?.aborted) throw aborted(false);
      const line = lines.to(url);
      const fresh = line.session.connecting;
      try {
        return await once(url, request, line, lines);
      } catch (error) {
        const repeatable = error instanceof OutboundError && error.failure === "not_connected" && !fresh;
        if (!repeatable) throw error;
        lines.retire(line);
        return once(url, request, lines.to(url), lines);
      }
    },
    close: lines.close,
  };
}

async function once(url: URL, request: OutboundRequest, line: Line, lines: Lines): Promise<OutboundAnswer> {
  line.open++;
  try {
    return await call(url, request, line);
  } catch (error) {
    // A connection that has not answered for this long would hold up each later call for its whole time.
    if (error instanceof OutboundError && error.failure === "timeout") lines.retire(line);
    throw error;
  } finally {
    line.open--;
    if (line.retired && line.open === 0) line.session.destroy();
  }
}

function connect(url: URL, { lookup }: WayOut): Line {
  const session = http2.connect(url.origin, { lookup, settings: { enablePush: false } });
  return { session, open: 0, retired: false, lastSeen: Number.POSITIVE_INFINITY };
}

function call(url: URL, options: OutboundRequest, line: Line): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const stream = open(url, options, line);
    let given: OutboundError | undefined;
    // It has its number once the connection carries it.
    const begun = () => stream.id !== undefined;
    const seen = () =>
      stream.id !== undefined &&
      stream.id <= line.lastSeen &&
      stream.rstCode !== http2.constants.NGHTTP2_REFUSED_STREAM;
    const settled = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", abort);
    };
    const fail = (error: Error) => {
      settled();
      // Why there is no connection stands behind the error that each of its streams gets.
      reject(given ?? translated(error.cause ?? error, seen()));
    };
    const giveUp = (reason: OutboundError) => {
      given = reason;
      stream.close(http2.constants.NGHTTP2_CANCEL);
      fail(reason);
    };
    const late = () => {
      giveUp(new OutboundError("timeout", "No complete answer came in time.", begun()));
      if (line.session.connecting) line.session.destroy();
    };
    const timer = setTimeout(late, options.timeoutMs ?? TIMEOUT_MS);
    const abort = () => giveUp(aborted(begun()));
    options.signal?.addEventListener("abort", abort, { once: true });

    stream.on("error", fail);
    stream.on("close", () => fail(new Error("closed")));
    stream.on("response", ({ ":status": status = 0, ...headers }) => {
      read(
        stream,
        options,
        (body) => {
          settled();
          resolve({ status, headers, body });
        },
        giveUp,
      );
    });
    stream.end(options.body);
  });
}

/** @throws OutboundError not_connected, where the connection went away meanwhile or a header can't be one */
function open(url: URL, { method = "GET", headers = {} }: OutboundRequest, { session }: Line): http2.ClientHttp2Stream {
  try {
    // HTTP/2 itself would carry a line break.
    for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
    return session.request({
      ":method": method,
      ":path": url.pathname + url.search,
      "user-agent": `Tidings/${version}`,
      ...headers,
    });
  } catch (error) {
    throw translated(error, false);
  }
}

function read(
  stream: http2.ClientHttp2Stream,
  { maxBytes = MOST_BYTES, cut = false }: OutboundRequest,
  done: (body: Buffer) => void,
  giveUp: (reason: OutboundError) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= maxBytes) return;
    if (cut) done(Buffer.concat(chunks).subarray(0, maxBytes));
    giveUp(new OutboundError("too_large", `The answer is longer than ${maxBytes} bytes.`, true));
  });
  // A stream that breaks off in the middle ends too, and only its code tells the difference.
  stream.on("end", () => {
    if (!stream.rstCode && !stream.aborted) done(Buffer.concat(chunks));
  });
}
