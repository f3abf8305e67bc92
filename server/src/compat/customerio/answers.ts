import { CustomerioDone } from "@tidings/contract/compat";
import type { FastifyRequest } from "fastify";
import { Problem } from "../../platform/http/index.ts";
import type { ForeignAnswer } from "../answers.ts";

/**
 * Returns an error in the shape of `customerio-node`. This client repeats calls only after 408, 429 and 5xx. So a repeat that arrives while
 * the first call is under way gets a 503; otherwise its caller would see an error for a message that is sent. A 422 becomes a 400.
 */
export function asCustomerio(problem: Problem): ForeignAnswer {
  const body = { meta: { error: problem.message } };
  const headers = problem.options.headers ?? {};
  if (problem.code === "idempotency_in_progress") return { status: 503, body, headers };
  return { status: problem.status === 422 ? 400 : problem.status, body, headers };
}

/** Describes a route with an empty answer for the OpenAPI document. */
export const describedAs = (summary: string) => ({
  summary,
  tags: ["customerio"],
  response: { 200: CustomerioDone },
});

export const unknownRoute = (route: string): string =>
  `Tidings has no route ${route}. docs/migrate.md lists the routes of Customer.io's API that it has.`;

/** Checks that an application reports about its proven person only, if the workspace requires a proof. @throws Problem person_token_invalid */
export function mayWrite(request: FastifyRequest, personId: string): void {
  if (request.provenPerson !== undefined && request.provenPerson !== personId) {
    throw new Problem("person_token_invalid", "The person token is for another person than the one in the address.");
  }
}
