import type { FastifyError } from "fastify";
import type { Log } from "../platform/log.ts";
import { type App, Problem, toProblem } from "../platform/http/index.ts";

/** An answer as a foreign client expects it. */
export interface Spoken {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Gives the errors of a scope the shape that a foreign client reads. */
export function speak(scope: App, log: Log, shape: (problem: Problem) => Spoken): void {
  scope.setErrorHandler((error, request, reply) => {
    const { status, body, headers } = shape(toProblem(error as FastifyError | Problem, log, request));
    return reply
      .code(status)
      .headers(headers ?? {})
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(body));
  });
}

/** Answers the routes that a scope does not have. `unknown` is what to say of a route. */
export function refuseUnknownRoutes(scope: App, unknown: (route: string) => string): void {
  scope.setNotFoundHandler((request) => {
    throw new Problem("not_found", unknown(`${request.method} ${request.url.split("?")[0]?.slice(0, 200)}`));
  });
}
