import { CustomerioDone } from "@tidings/contract/compat";
import type { FastifyRequest } from "fastify";
import { Problem } from "../../platform/http/index.ts";
import type { Spoken } from "../speak.ts";

/**
 * An error as `customerio-node` reads it. It repeats 408, 429 and 5xx and nothing else; so a repeat that comes while the
 * first is under way gets a 503, or its caller would see an error for a message that is sent. What we refuse as 422 is a
 * 400 there.
 */
export function asCustomerio(problem: Problem): Spoken {
  const body = { meta: { error: problem.message } };
  const headers = problem.options.headers ?? {};
  if (problem.code === "idempotency_in_progress") return { status: 503, body, headers };
  return { status: problem.status === 422 ? 400 : problem.status, body, headers };
}

/** What the OpenAPI document says of a route that answers nothing of its own. */
export const describedAs = (summary: string) => ({
  summary,
  tags: ["customerio"],
  response: { 200: CustomerioDone },
});

export const unknownRoute = (route: string): string =>
  `Tidings has no route ${route}. docs/migrate.md lists what it has of Customer.io's API.`;

/** Where the workspace requires a proof, an application speaks for that person only. @throws Problem person_token_invalid */
export function mayWrite(request: FastifyRequest, personId: string): void {
  if (request.provenPerson !== undefined && request.provenPerson !== personId) {
    throw new Problem("person_token_invalid", "The person token is for another person than the one in the address.");
  }
}
