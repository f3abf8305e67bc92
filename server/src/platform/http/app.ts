import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  type RawServerDefault,
} from "fastify";
import { webcrypto } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../log.ts";
import type { GroundMetrics } from "../metrics.ts";
import { newId } from "../ids.ts";
import { connectionsOf } from "./connections.ts";
import { AT_ONCE, parseJson, readJson } from "./json.ts";
import { Problem, problemBody } from "./problem.ts";
import { cutWhereStalled } from "./stalled.ts";
import { installValidation, validationProblem } from "./validation.ts";

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module "fastify" {
  interface FastifyRequest {
    /** When its head had been read (performance.now()). */
    arrived: number;
    /** The size of a JSON body over 256 KiB, as received. */
    bodyBytes?: number;
    /** SHA-256 of a JSON body over 1 MiB, as received. */
    largeBody?: Buffer;
  }
}

const MIB = 1024 * 1024;

/**
 * Headers of each answer unless its route sets others: no cache keeps an answer that is for one caller, and no browser guesses another
 * media type than its Content-Type.
 */
const STANDING = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** How long a client may take. */
const TIMES = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  /** How long it may take nothing of an answer. */
  stalledMs: 10_000,
  /** How often Node checks the first two limits. Node's default of 30 s made 10 s up to 40. */
  lookMs: 1_000,
};

/** Creates the HTTP server with everything that all routes share: request ids, JSON parsing, errors, time-outs and metrics. */
export function createApp(log: Log, metrics: GroundMetrics, times: Partial<typeof TIMES> = {}): App {
  const { headersMs, requestMs, keepAliveMs, stalledMs, lookMs } = { ...TIMES, ...times };
  const app = Fastify({
    bodyLimit: MIB,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: lookMs, maxHeaderSize: 16_384 },
    // A person_id has up to 256 characters, and each may take two UTF-16 units or an escape of three characters.
    routerOptions: { maxParamLength: 768 },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    requestIdHeader: false,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void answer(toProblem(error, log, request), request, reply as never),
    clientErrorHandler(error, socket) {
      const code = (error as { code?: string }).code;
      if (socket.writable) socket.end(beforeAnyRequest(code));
      else socket.destroy();
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  installValidation(app as unknown as FastifyInstance);
  parseJsonBodies(app as unknown as FastifyInstance);
  const connections = connectionsOf(app.server);
  app.addHook("preClose", () => connections.drain());
  app.addHook("onRequest", (request, reply, done) => {
    request.arrived = performance.now();
    reply.header("x-request-id", request.id);
    reply.headers(STANDING);
    done();
  });
  // This is not onResponse, for which Fastify listens to each response until its end: that took a fortieth of a sync, and an open
  // stream would keep its request and reply in memory for the hour that it lives.
  app.addHook("onSend", (request, reply, body, done) => {
    cutWhereStalled(reply.raw, body, stalledMs);
    if (connections.draining()) reply.header("connection", "close");
    const route = request.routeOptions.url ?? "none";
    const seconds = (performance.now() - request.arrived) / 1000;
    metrics.requests.observe({ route, status: `${Math.floor(reply.statusCode / 100)}xx` }, seconds);
    if (log.isLevelEnabled("debug"))
      log.debug({ request_id: request.id, method: request.method, route, status: reply.statusCode }, "answered");
    done();
  });
  app.setErrorHandler((error, request, reply) =>
    answer(toProblem(error as FastifyError, log, request), request, reply as never),
  );
  app.setNotFoundHandler((request, reply) =>
    answer(
      new Problem(
        "not_found",
        `There is no route ${request.method} ${request.url.split("?")[0]?.slice(0, 200)}. See /docs.`,
      ),
      request,
      reply as never,
    ),
  );
  return app as unknown as App;
}

/** Makes JSON the only media type of a body. */
function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(?:[a-z.+-]+\+)?json(?:;|$)/,
    { parseAs: "buffer" },
    (request, body: Buffer, done) => {
      // Nearly all bodies are small: they are parsed at once, without a promise, and nothing of them is kept.
      if (body.length > AT_ONCE) return void readLarge(request, body).then((value) => done(null, value), done);
      try {
        done(null, body.length === 0 ? undefined : parseJson(body));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

async function readLarge(request: FastifyRequest, body: Buffer): Promise<unknown> {
  request.bodyBytes = body.length;
  // Web Crypto hashes outside of this thread, where 20 MiB would take 30 ms.
  if (body.length > MIB) request.largeBody = Buffer.from(await webcrypto.subtle.digest("SHA-256", body as never));
  return readJson(body);
}

/** Returns the answer to HTTP that is broken or too slow, before there is a request that a route could answer. */
function beforeAnyRequest(code: string | undefined): string {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return written(
      "408 Request Timeout",
      new Problem("request_timeout", "The request did not arrive in time. Repeat it."),
    );
  if (code === "HPE_HEADER_OVERFLOW")
    return written(
      "431 Request Header Fields Too Large",
      new Problem("headers_too_large", "The address and the headers have more than 16 KiB together. Shorten them."),
    );
  return written("400 Bad Request", new Problem("invalid_request", "The request is not HTTP/1.1 that can be read."));
}

function written(status: string, problem: Problem): string {
  const id = newId();
  const body = JSON.stringify(problemBody(problem, id));
  return (
    `HTTP/1.1 ${status}\r\nConnection: close\r\nX-Request-Id: ${id}\r\n` +
    `Content-Type: application/problem+json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

/** Returns the caller's own X-Request-Id if it is a short plain word, else a fresh id. */
function requestId(request: { headers: Record<string, unknown> }): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && /^[A-Za-z0-9._:/+=-]{1,128}$/.test(given) ? given : newId();
}

interface Replying {
  code(status: number): Replying;
  headers(headers: Record<string, string>): Replying;
  type(type: string): Replying;
  send(body: unknown): unknown;
}

function answer(problem: Problem, request: Pick<FastifyRequest, "id">, reply: Replying): unknown {
  return reply
    .code(problem.status)
    .headers({ "x-request-id": request.id, ...STANDING, ...problem.options.headers })
    .type("application/problem+json; charset=utf-8")
    .send(JSON.stringify(problemBody(problem, request.id)));
}

/** Turns any error of a request into the problem for the client, also for answers of other shapes. Logs the errors that are our fault. */
export function toProblem(error: FastifyError | Problem, log: Log, request: FastifyRequest): Problem {
  if (error instanceof Problem) {
    if (error.status >= 500)
      log.warn({ request_id: request.id, err: String(error.cause ?? error.message) }, error.message);
    return error;
  }
  if (error.validation) return validationProblem(error.validation, error.validationContext);
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Problem(
        "payload_too_large",
        `The body is over the limit of ${request.routeOptions.bodyLimit / MIB} MiB.`,
      );
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Problem("unsupported_media_type", "Send the body as JSON with Content-Type: application/json.");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "FST_ERR_BAD_URL":
    case "FST_ERR_ASYNC_CONSTRAINT":
      return new Problem("invalid_request", "The address or a header of the request is malformed.");
    // PostgreSQL ended one of two transactions that waited for each other. It had no effect, so that a repeat is safe.
    case "40P01":
      return new Problem("unavailable", "Another change held the same data. Nothing was stored; repeat the request.", {
        headers: { "retry-after": "1" },
        cause: error,
      });
    default:
  }
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500)
    return new Problem("invalid_request", "The request is malformed.");
  log.error({ request_id: request.id, route: request.routeOptions?.url, err: error }, "a request failed");
  return new Problem(
    "internal_error",
    `Something went wrong on our side. The log has it under request id ${request.id}.`,
  );
}
