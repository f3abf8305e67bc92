import { randomUUID } from "node:crypto";
import type { Call, CallOptions, Request } from "./calls.ts";
import { type Product, routes } from "./product.ts";

export interface RequestOptions extends CallOptions {
  /** For a call that creates or starts something: calls with the same key within 24 hours do it once. Made for you where it is left out. */
  idempotencyKey?: string;
  /** The ETag that the object must still have; otherwise the call fails with `changed_meanwhile` and changes nothing. */
  ifMatch?: string;
}

/** Returns the methods of the product API, one for each route, grouped by resource. */
export function product(call: Call): Product {
  const resources = Object.entries(routes).map(([resource, methods]) => [
    resource,
    Object.fromEntries(Object.entries(methods).map(([name, [route, takes]]) => [name, method(call, route, takes)])),
  ]);
  return Object.fromEntries(resources) as Product;
}

type Takes = "body" | "query" | "text" | "form" | "nothing";

/** Returns a method that takes the ids of its path in order, then the input, then options. */
function method(call: Call, route: string, takes: Takes) {
  const [verb = "", template = ""] = route.split(" ");
  const ids = template.match(/:\w+/g) ?? [];
  return async (...given: unknown[]): Promise<unknown> => {
    const rest = given.slice(ids.length);
    const input = takes === "nothing" ? undefined : rest.shift();
    const { idempotencyKey = randomUUID(), ifMatch, ...options } = (rest[0] ?? {}) as RequestOptions;
    const path = ids.reduce((text, id, i) => text.replace(id, part(id, given[i])), template);
    const request = {
      method: verb,
      path: takes === "query" ? path + queryOf(input as Record<string, unknown> | undefined) : path,
      ...inputOf(takes, input),
      headers: {
        // A retry after a lost answer must not create a second object.
        ...(verb === "POST" && { "idempotency-key": idempotencyKey }),
        ...(ifMatch !== undefined && { "if-match": ifMatch }),
      },
    };
    return call(request, options);
  };
}

function inputOf(takes: Takes, input: unknown): Pick<Request, "body" | "text" | "form"> {
  if (takes === "text") return { text: String(input) };
  if (takes === "form") return { form: input as Record<string, Blob | string | undefined> };
  return takes === "body" ? { body: (input ?? {}) as object } : {};
}

/** Encodes one id of a path. @throws TypeError where the id is missing: the call would go to another route. */
function part(name: string, value: unknown): string {
  if ((typeof value !== "string" && typeof value !== "number") || value === "")
    throw new TypeError(`${name.slice(1)} must be given, but is ${JSON.stringify(value)}`);
  // A segment "." or ".." would be resolved as a relative path.
  return encodeURIComponent(value).replace(/^\.{1,2}$/, (dots) => dots.replaceAll(".", "%2E"));
}

function queryOf(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one): [string, string] => [name, one instanceof Date ? one.toISOString() : String(one)]),
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
