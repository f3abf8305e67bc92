import { type ErrorCode, errors } from "@tidings/contract/errors/errors";
import type { Operation } from "./openapi-parts.ts";

// The errors that a route may answer depend on its kind. Tests compare each answer of the service with this list.

const codesOf = (status: number): ErrorCode[] =>
  (Object.keys(errors) as ErrorCode[]).filter((code) => errors[code].status === status);

const retryAfter = { "Retry-After": { description: "Seconds after which to repeat it.", schema: { type: "integer" } } };

const nameOf = (status: number | undefined): string => `Problem${status ?? ""}`;

/** The statuses that operations list. 408 and 500 are left to the default: clients handle them the same on every route. */
const STATUSES = [400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 503];

/** The answers that all operations share, for `components.responses`. */
export const problems: Record<string, object> = Object.fromEntries(
  [undefined, ...STATUSES].map((status) => [
    nameOf(status),
    {
      description:
        status === undefined
          ? "A problem; `code` says which."
          : codesOf(status)
              .map((code) => `\`${code}\`: ${errors[code].means}`)
              .join(" "),
      ...((status === 429 || status === 503) && { headers: retryAfter }),
      content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
    },
  ]),
);

/** Returns the error statuses that an operation of this kind may answer. */
export function statusesOf(method: string, path: string, { requestBody, security, ...operation }: Operation): number[] {
  const writes = method !== "get";
  const keyed = security?.length !== 0;
  // The operation names an object that may not exist, in the path or in the body: a template, a trigger name, a delivery's person.
  const names =
    path.includes("{") || path.endsWith("/oidc") || method === "delete" || (writes && requestBody !== undefined);
  const statuses = [400, 429, 503];
  if (keyed || /^\/(?:callbacks|api)\//.test(path)) statuses.push(401, 403);
  if (names) statuses.push(404);
  if (writes) statuses.push(409, 413, 415, 422);
  if (operation["x-tagged"] && (method !== "post" ? method !== "get" : path.includes("{"))) statuses.push(412);
  return statuses;
}

/** Adds to an operation the errors that its kind may answer. An operation with a default of its own describes its errors itself. */
export function addProblems(method: string, path: string, operation: Operation): void {
  if (operation.responses.default) return;
  for (const status of statusesOf(method, path, operation))
    operation.responses[status] ??= { $ref: `#/components/responses/${nameOf(status)}` };
  operation.responses.default = { $ref: `#/components/responses/${nameOf(undefined)}` };
}
