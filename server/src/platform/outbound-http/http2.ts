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

/** An idle connection stays open this long, because Apple takes frequent new connections for an attack. */
const IDLE_MS = 10 * 60_000;

/** A connection to one origin, with the state that decides when it ends. */
interface Connection {
  session: http2.ClientHttp2Session;
  /** The number of calls that have not ended. */
  calls: number;
  /** A retired connection takes no more calls and ends with its last call. */
  retired: boolean;
  /** The number of the last call that the other side says it may have processed, from its GOAWAY (RFC 9113 6.8). */
  lastSeen: number;
}

/** The connections of a fetcher. For each origin at most one of them takes calls. */
interface Connections {
  /** Returns the connection to an origin, a new one if none takes calls. */
  to(url: URL): Connection;
  /** Retires a connection: it gets no more calls and ends with its last call. */
  retire(connection: Connection): void;
  close(): void;
}

function keepConnections(out: WayOut): Connections {
  const byOrigin = new Map<string, Connection>();
  const all = new Set<Connection>();

  function retire(connection: Connection): void {
    connection.retired = true;
    for (const [origin, known] of byOrigin) if (known === connection) byOrigin.delete(origin);
    if (connection.calls === 0) connection.session.destroy();
  }

  return {
    to(url) {
      const known = byOrigin.get(url.origin);
      if (known && !known.session.closed && !known.session.destroyed) return known;
      const connection = connect(url, out);
      byOrigin.set(url.origin, connection);
      all.add(connection);
      // Each call handles its own error. Without this listener an error of the session would end the process.
      connection.session.on("error", () => {});
      connection.session.on("goaway", (_code, lastSeen) => {
        connection.lastSeen = lastSeen;
        retire(connection);
      });
      connection.session.on("close", () => {
        retire(connection);
        all.delete(connection);
      });
      connection.session.setTimeout(IDLE_MS, () => retire(connection));
      return connection;
    },
    retire,
    close() {
      for (const connection of [...all]) {
        retire(connection);
        connection.session.destroy();
      }
    },
  };
}

/**
 * Creates a fetcher for servers that take HTTP/2 only, under the same rules as `createFetcher`: the address is checked when connecting.
 * It keeps one connection for each origin, and replaces it when the other side closes it or stays silent, or when it breaks. A call that
 * the other side certainly did not process is made once more, through a new connection.
 */
export function createHttp2Fetcher(options: WayOutOptions): Fetcher {
  const out = wayOut(options);
  const connections = keepConnections(out);
  return {
    async fetchOut(target, request = {}) {
      const url = webAddress(target);
      out.admit(hostOf(url));
      if (request.signal?.aborted) throw aborted(false);
      const connection = connections.to(url);
      const fresh = connection.session.connecting;
      try {
        return await once(url, request, connection, connections);
      } catch (error) {
        const repeatable = error instanceof OutboundError && error.failure === "not_connected" && !fresh;
        if (!repeatable) throw error;
        connections.retire(connection);
        return once(url, request, connections.to(url), connections);
      }
    },
    close: connections.close,
  };
}

async function once(
  url: URL,
  request: OutboundRequest,
  connection: Connection,
  connections: Connections,
): Promise<OutboundAnswer> {
  connection.calls++;
  try {
    return await call(url, request, connection);
  } catch (error) {
    // On a connection that has not answered for this long, each later call would also wait until its timeout.
    if (error instanceof OutboundError && error.failure === "timeout") connections.retire(connection);
    throw error;
  } finally {
    connection.calls--;
    if (connection.retired && connection.calls === 0) connection.session.destroy();
  }
}

function connect(url: URL, { lookup }: WayOut): Connection {
  const session = http2.connect(url.origin, { lookup, settings: { enablePush: false } });
  return { session, calls: 0, retired: false, lastSeen: Number.POSITIVE_INFINITY };
}

function call(url: URL, options: OutboundRequest, connection: Connection): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const stream = openStream(url, options, connection);
    let givenUp: OutboundError | undefined;
    // A stream gets its number when the connection sends it.
    const begun = () => stream.id !== undefined;
    const seen = () =>
      stream.id !== undefined &&
      stream.id <= connection.lastSeen &&
      stream.rstCode !== http2.constants.NGHTTP2_REFUSED_STREAM;
    const settled = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", abort);
    };
    const fail = (error: Error) => {
      settled();
      // Each stream of a broken connection gets an error whose cause says why the connection broke.
      reject(givenUp ?? translated(error.cause ?? error, seen()));
    };
    const giveUp = (reason: OutboundError) => {
      givenUp = reason;
      stream.close(http2.constants.NGHTTP2_CANCEL);
      fail(reason);
    };
    const late = () => {
      giveUp(new OutboundError("timeout", "No complete answer came in time.", begun()));
      if (connection.session.connecting) connection.session.destroy();
    };
    const timer = setTimeout(late, options.timeoutMs ?? TIMEOUT_MS);
    const abort = () => giveUp(aborted(begun()));
    options.signal?.addEventListener("abort", abort, { once: true });

    stream.on("error", fail);
    stream.on("close", () => fail(new Error("closed")));
    stream.on("response", ({ ":status": status = 0, ...headers }) => {
      readBody(
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

/** @throws OutboundError not_connected if the connection has closed meanwhile or a header is invalid */
function openStream(
  url: URL,
  { method = "GET", headers = {} }: OutboundRequest,
  { session }: Connection,
): http2.ClientHttp2Stream {
  try {
    // HTTP/2 itself would accept a line break.
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

function readBody(
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
  // A stream that breaks in the middle has an "end" event, too. Only its code shows the difference.
  stream.on("end", () => {
    if (!stream.rstCode && !stream.aborted) done(Buffer.concat(chunks));
  });
}
