import swagger from "@fastify/swagger";
import { CustomerioError, SegmentError } from "@tidings/contract/compat";
import { statusesOf } from "./openapi-answers.ts";
import { KEYS, keySchemes, type Operation, personToken, restNamed, retryCount } from "./openapi-parts.ts";
import { named } from "./openapi-shapes.ts";
import type { App } from "./platform/http/index.ts";
import { version } from "./platform/version.ts";

const COMPAT = "/compat/";

/** Routes for clients of other products have a document of their own, because their answers and errors have other shapes than ours. */
export const isCompat = (path: string): boolean => path.startsWith(COMPAT);

const retryAfter = {
  "Retry-After": { description: "With 429 and 503: seconds after which to repeat it.", schema: { type: "integer" } },
};
const errorOf = (client: "Customerio" | "Segment") => ({
  description: `An error as the clients of ${client} read it.`,
  headers: retryAfter,
  content: { "application/json": { schema: { $ref: `#/components/schemas/${client}Error` } } },
});

/** Adds the parts that all routes of a client share: errors in its shape, keys, headers. Our 422 is a 400 there. */
function complete(method: string, path: string, operation: Operation): void {
  const client = path.startsWith(`${COMPAT}customerio/`) ? "Customerio" : "Segment";
  for (const status of statusesOf(method, path, operation))
    if (status !== 422) operation.responses[status] ??= { $ref: `#/components/responses/${client}Error` };
  operation.responses.default = { $ref: `#/components/responses/${client}Error` };
  const headers = operation.security?.length === 0 ? [] : [personToken];
  if (client === "Customerio" && method === "post") headers.push(retryCount);
  operation.parameters = [...(operation.parameters ?? []), ...headers];
  operation.operationId = named(method, path, operation);
}

/** Adds `app.compatDocument()`. Call it before the routes are added, because it collects them as they are added. */
export async function describeCompat(app: App, publicUrl: string): Promise<void> {
  await app.register(swagger as never, {
    decorator: "compatDocument",
    transform: ({ schema, url }: { schema?: object; url: string }) => ({
      schema: isCompat(url) ? schema : { hide: true },
      url,
    }),
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Tidings for the clients of others",
        version,
        description:
          "The routes that the clients of Customer.io and Segment call. Tidings' own routes are in /openapi.json.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: keySchemes,
        responses: { CustomerioError: errorOf("Customerio"), SegmentError: errorOf("Segment") },
        schemas: { CustomerioError, SegmentError },
      },
      security: KEYS,
    },
    transformObject({ openapiObject }: { openapiObject: { paths: Record<string, Record<string, Operation>> } }) {
      openapiObject.paths = restNamed(openapiObject.paths);
      for (const [path, operations] of Object.entries(openapiObject.paths))
        for (const [method, operation] of Object.entries(operations)) complete(method, path, operation);
      return openapiObject;
    },
  });
}
