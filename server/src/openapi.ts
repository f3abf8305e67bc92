import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { errors } from "@tidings/contract/errors/errors";
import { examples } from "@tidings/contract/examples/index";
import { ImageFields } from "@tidings/contract/messages/media";
import { shapes } from "@tidings/contract/shapes";
import { Type } from "typebox";
import { addProblems, problems } from "./openapi-answers.ts";
import { isCompat } from "./openapi-compat.ts";
import {
  etag,
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  keyOf,
  KEYS,
  keySchemes,
  type Operation,
  personToken,
  restNamed,
  retryCount,
  byKey,
  SESSION_IN_WORKSPACE,
  sessionSchemes,
} from "./openapi-parts.ts";
import { named, shaped } from "./openapi-shapes.ts";
import type { RouteOptions } from "fastify";
import { type App, bodyOptional } from "./platform/http/index.ts";
import { version } from "./platform/version.ts";

const Problem = Type.Object(
  {
    type: Type.String({ examples: ["urn:tidings:error:invalid_request"] }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: "How to correct it." }),
    code: Type.Unsafe<string>({ type: "string", enum: Object.keys(errors) }),
    request_id: Type.String({ description: "The id that is also in X-Request-Id." }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.Optional(Type.String({ description: "JSON pointer into the body." })),
          parameter: Type.Optional(Type.String({ description: "Name of a parameter or a header." })),
          message: Type.String(),
        }),
      ),
    ),
  },
  { description: "RFC 9457, application/problem+json." },
);
interface Documented {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object };
}

/** Adds to an operation the parts that groups of routes share and no route's own schema has: errors, keys, headers. */
function complete(method: string, path: string, operation: Operation): void {
  // Swagger marks a parameter with a default as required, because it is always set after validation.
  const parameters = operation.parameters ?? [];
  for (const parameter of parameters) if ("default" in (parameter.schema ?? {})) parameter.required = false;
  const interaction = /^\/data-gateway\/v1\/in-app\/messages\/\{/.test(path);
  const product = path.startsWith("/api/v1/") && byKey(operation);
  if (product) operation.security = [...KEYS, SESSION_IN_WORKSPACE];
  const creates = product && ("201" in operation.responses || "202" in operation.responses);
  if (method === "post" && (interaction || creates || path.startsWith("/data-gateway/transactionals/")))
    parameters.push(idempotencyKey);
  if (path.startsWith("/data-gateway/transactionals/")) parameters.push(retryCount);
  if (path.startsWith("/data-gateway/v1/")) parameters.push(personToken);
  if (operation["x-tagged"]) addTags(method, path, operation, parameters);
  if (parameters.length > 0) operation.parameters = parameters;
  if (method === "get" && path.startsWith("/data-gateway/v1/in-app/"))
    operation.security = [...KEYS, { publicKeyInAddress: [] }];
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  if (body) operation.requestBody = { ...operation.requestBody, required: body["x-optional"] !== true };
  if (path.endsWith("/import"))
    operation.requestBody = {
      required: true,
      content: { "text/csv": { schema: { type: "string", description: "A file in UTF-8, up to 100 MiB." } } },
    };
  if (method === "post" && path === "/api/v1/media") operation.requestBody = IMAGE_FORM;
  if (path.endsWith("/export")) {
    const content = path.startsWith("/api/v1/people/{person_id}/export")
      ? { "application/json": { schema: { type: "object" } } }
      : { "text/csv": { schema: { type: "string" } } };
    operation.responses["200"] = { ...operation.responses["200"], content };
  }
  if (method === "post" && /^\/(?:preferences|unsubscribe)\//.test(path)) operation.requestBody = FORM;
  const events = EVENT_STREAMS[path];
  if (events)
    operation.responses["200"] = {
      description: events,
      content: { "text/event-stream": { schema: { type: "string" } } },
    };
  addProblems(method, path, operation);
  delete operation["x-tagged"];
  operation.operationId ??= named(method, path, operation);
  const json = operation.requestBody?.content?.["application/json"];
  if (json) json.examples = examples[operation.operationId];
}

/** Adds the conditions that a request may have and the ETag of the answer. */
function addTags(method: string, path: string, operation: Operation, parameters: object[]): void {
  const changes = method !== "get";
  // A settings object has no id and is changed all the same; what a POST to a list creates had no state before.
  if (!changes) parameters.push(ifNoneMatch);
  else if (path.includes("{") || method !== "post") parameters.push(ifMatch);
  for (const status of ["200", "201"]) {
    const response = operation.responses[status];
    // A new secret and the count of a recall are no state of the resource.
    const shows =
      (response as { content?: object } | undefined)?.content !== undefined && !/\/(secret|recall)$/.test(path);
    if (response && shows) operation.responses[status] = { ...response, headers: { ETag: etag } };
  }
}

/** What the routes answer that stream server-sent events. */
const EVENT_STREAMS: Record<string, string> = {
  "/data-gateway/v1/in-app/messages/stream":
    "`event: sync` with `data: {delivery_id, ts}` whenever a message was queued.",
  "/api/v1/live":
    "`event: activity` with an event of the log as `data`, `event: progress` with `{type, id, status, progress}`, and `event: changed` with `{type, id}`.",
};

/** The form of an image and what is said of it. */
const IMAGE_FORM = {
  required: true,
  content: {
    "multipart/form-data": {
      schema: {
        type: "object",
        properties: {
          file: { type: "string", format: "binary", description: "PNG, JPEG, GIF, WebP or AVIF, up to 10 MiB." },
          ...ImageFields,
        },
        required: ["file"],
        additionalProperties: false,
      },
    },
  },
};

/** The forms of the web pages for recipients, and the one-click request of a mail program (RFC 8058). */
const FORM = {
  required: true,
  content: {
    "application/x-www-form-urlencoded": { schema: { type: "object" } },
    "multipart/form-data": { schema: { type: "object" } },
  },
};

interface Transformed {
  schema?: { body?: object; description?: string; security?: object[] };
  url: string;
  route: RouteOptions;
}

/** Adds the OpenAPI document. Call it before the routes are added, because it collects them as they are added. */
export async function describeApi(app: App, publicUrl: string): Promise<void> {
  await app.register(swagger as never, {
    transform: ({ schema, url, route }: Transformed) => {
      if (isCompat(url)) return { schema: { hide: true }, url };
      // Swagger does not say which bodies are required. `complete` reads this mark.
      const optional = [route.preValidation].flat().includes(bodyOptional as never);
      const description = [schema?.description, keyOf(route)].filter(Boolean).join(" ");
      const told = { ...schema, description };
      return { schema: optional && schema ? { ...told, body: { ...schema.body, "x-optional": true } } : told, url };
    },
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Tidings",
        version,
        description: "Transactional and in-app messages. Errors are RFC 9457 problems with a stable `code`.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          ...keySchemes,
          ...sessionSchemes,
          publicKeyInAddress: { type: "apiKey", in: "query", name: "api_key", description: "A public key only." },
        },
        responses: problems,
        schemas: { Problem },
      },
      security: KEYS,
    },
    transformObject({ openapiObject }: { openapiObject: Documented }) {
      openapiObject.paths = restNamed(openapiObject.paths);
      for (const [path, operations] of Object.entries(openapiObject.paths))
        for (const [method, operation] of Object.entries(operations)) {
          // A route with two methods has one operation object for both, so it is copied.
          const own = { ...operation, responses: { ...operation.responses } };
          operations[method] = own;
          complete(method, path, own);
        }
      const { components } = openapiObject;
      return shaped({ ...openapiObject, components: { ...components, schemas: { ...components.schemas, ...shapes } } });
    },
  });
}

/** Adds the OpenAPI document of another application to one without these routes. */
export async function showApi(app: App, documented: App): Promise<void> {
  const document = (documented as unknown as { swagger(): unknown }).swagger();
  await app.register(swagger as never, { mode: "static", specification: { document } });
}

/** Swagger UI loads only its own files, has its icons as data in its style sheet, and sets style attributes by script. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Mounts the web pages of the OpenAPI document under /docs. A key that is typed there is forgotten with the page: any later script of
 * this origin could read a secret key from the browser's storage.
 */
export async function mountReference(app: App, { tryItOut }: { tryItOut: boolean }): Promise<void> {
  await app.register(async (pages: App) => {
    pages.addHook("onRequest", (_request, reply, done) => {
      reply.header("content-security-policy", CSP);
      reply.header("x-frame-options", "DENY");
      reply.header("referrer-policy", "no-referrer");
      done();
    });
    await pages.register(swaggerUi as never, {
      routePrefix: "/docs",
      theme: {
        title: "Tidings API",
        css: [{ filename: "tidings.css", content: ".swagger-ui .topbar { display: none }" }],
      },
      uiConfig: {
        persistAuthorization: false,
        ...(tryItOut ? { tryItOutEnabled: true } : { supportedSubmitMethods: [] }),
      },
    });
  });
}
