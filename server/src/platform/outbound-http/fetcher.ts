import * as http from "node:http";
import * as https from "node:https";
import type { LookupFunction } from "node:net";
import { version } from "../version.ts";
import { hostOf } from "./addresses.ts";
import { OutboundError, translated } from "./errors.ts";
import { wayOut, type WayOutOptions } from "./way-out.ts";

/** The most bytes of a body in one write. */
const PIECE_BYTES = 64 * 1024;

export interface OutboundRequest {
  /** GET unless given. */
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The limit of the whole call, from resolving the name to the answer's last byte. */
  timeoutMs?: number;
  /** The most bytes of an answer. A longer one fails with `too_large`, or is shortened if `cut` is set. */
  maxBytes?: number;
  /** Return the first `maxBytes` of a longer answer instead of failing, for callers to whom only the status matters. */
  cut?: boolean;
  signal?: AbortSignal;
}

export interface OutboundAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Calls an http or https URL and returns its answer, whatever the status; a redirect is an answer like any other.
 * It never repeats a request, so a request arrives at most once.
 * @throws OutboundError and nothing else
 */
export type FetchOut = (url: string | URL, request?: OutboundRequest) => Promise<OutboundAnswer>;

export interface Fetcher {
  fetchOut: FetchOut;
  /** Ends all connections, also those with running calls. */
  close(): void;
}

export const TIMEOUT_MS = 10_000;
export const MOST_BYTES = 256 * 1024;
/** We close an idle connection before the server does: many servers close after 5 s, and a request sent at that moment is lost. */
const IDLE_MS = 4_000;
const AGENT = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 32 };

/**
 * Creates the only way for HTTP calls to the outside: to providers, webhooks and push endpoints. The address is checked when connecting,
 * and the connection goes to the checked address, so a host name that changes its address afterwards can't circumvent the check.
 */
export function createFetcher(options: WayOutOptions): Fetcher {
  const out = wayOut(options);
  const agents = { "http:": new http.Agent(AGENT), "https:": new https.Agent(AGENT) };

  return {
    async fetchOut(target, request = {}) {
      const url = webAddress(target);
      out.admit(hostOf(url));
      if (request.signal?.aborted) throw aborted(false);
      try {
        return await call(url, request, out.lookup, agents);
      } catch (error) {
        throw translated(error, false);
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

type Agents = { "http:": http.Agent; "https:": https.Agent };

function call(url: URL, options: OutboundRequest, lookup: LookupFunction, agents: Agents): Promise<OutboundAnswer> {
  const secure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    // An invalid header name or value throws here.
    const request = (secure ? https : http).request(url, {
      method: options.method ?? "GET",
      agent: agents[secure ? "https:" : "http:"],
      lookup,
      headers: { "user-agent": `Tidings/${version}`, "accept-encoding": "identity", ...options.headers },
    });
    let connected = false;
    let givenUp: OutboundError | undefined;
    const giveUp = (reason: OutboundError) => {
      givenUp = reason;
      request.destroy(reason);
    };
    const late = () => giveUp(new OutboundError("timeout", "No complete answer came in time.", connected));
    const timer = setTimeout(late, options.timeoutMs ?? TIMEOUT_MS);
    const abort = () => giveUp(aborted(connected));
    options.signal?.addEventListener("abort", abort, { once: true });
    const settled = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", abort);
    };
    const fail = (error: unknown) => {
      settled();
      reject(givenUp ?? translated(error, connected));
    };

    request.on("socket", (socket) => {
      // A reused connection is already connected. Over TLS nothing of the request is sent before the handshake is complete.
      if (request.reusedSocket) connected = true;
      else socket.once(secure ? "secureConnect" : "connect", () => (connected = true));
    });
    request.on("error", fail);
    request.on("response", (response) => {
      bodyOf(response, options).then((body) => {
        settled();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      }, fail);
    });
    sendBody(request, options.body);
  });
}

/** Sends a body. A large one is sent in pieces, as fast as the other side reads: over TLS, 36 MiB in one piece block for 35 ms. */
function sendBody(request: http.ClientRequest, body: string | Buffer = ""): void {
  // If end() is called without write(), Node sets the content length itself.
  if (typeof body === "string" || body.length <= PIECE_BYTES) return void request.end(body);
  request.setHeader("content-length", body.length);
  let at = 0;
  const more = () => {
    while (at < body.length) {
      const piece = body.subarray(at, at + PIECE_BYTES);
      at += piece.length;
      if (!request.write(piece)) return void request.once("drain", more);
    }
    request.end();
  };
  more();
}

function bodyOf(response: http.IncomingMessage, { maxBytes = MOST_BYTES, cut = false }: OutboundRequest) {
  return new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) return;
      const tooLarge = new OutboundError("too_large", `The answer is longer than ${maxBytes} bytes.`, true);
      if (cut) resolve(Buffer.concat(chunks).subarray(0, maxBytes));
      else reject(tooLarge);
      response.destroy();
    });
    response.on("end", () => resolve(Buffer.concat(chunks)));
    response.on("error", reject);
    // An incomplete answer has no "end" event.
    response.on("close", () => reject(new Error("closed")));
  });
}

/** Reads an http or https URL. @throws OutboundError invalid_url */
export function webAddress(target: string | URL): URL {
  const url = URL.canParse(String(target)) ? new URL(target) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new OutboundError("invalid_url", "Only http and https addresses can be called.", false);
  return url;
}

export const aborted = (connected: boolean) => new OutboundError("aborted", "The call was given up.", connected);
