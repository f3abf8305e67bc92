import type { FastifyError } from "fastify";
import type { Log } from "../platform/log.ts";
import { type App, Problem, toProblem } from "../platform/http/index.ts";

/** An error answer in the shape of a foreign client. */
export interface ForeignAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Makes a scope answer errors in the shape of a foreign client. */
export function answerErrorsAs(scope: App, log: Log, shape: (problem: Problem) => ForeignAnswer): void {
  scope.setErrorHandler((error, request, reply) => {
    const { status, body, headers } = shape(toProblem(error as FastifyError | Problem, log, request));
    return reply
      .code(status)
      .headers(headers ?? {})
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(body));
  });
}

/** Makes a scope answer unknown routes. `unknown` returns the text for a route. */
export function refuseUnknownRoutes(scope: App, unknown: (route: string) => string): void {
  scope.setNotFoundHandler((request) => {
    throw new Problem("not_found", unknown(`${request.method} ${request.url.split("?")[0]?.slice(0, 200)}`));
  });
}
