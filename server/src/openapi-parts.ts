import type { RouteOptions } from "fastify";

// The keys and headers that both OpenAPI documents describe with the same texts.

/** The fields of an operation of an OpenAPI document that we read and write. */
export interface Operation {
  operationId?: string;
  parameters?: { name: string; in: string; required?: boolean; schema?: object }[];
  requestBody?: {
    required?: boolean;
    content?: Record<string, { schema?: Record<string, unknown>; examples?: object | undefined }>;
  };
  responses: Record<string, object | undefined>;
  security?: object[];
  /** It answers with an ETag, or changes something that has one. */
  "x-tagged"?: boolean;
}

export const KEYS = [{ bearer: [] }, { basic: [] }, { apiKey: [] }];
/** A member's session, beside keys on the product API. */
export const SESSION_IN_WORKSPACE = { session: [], workspace: [] };
export const sessionSchemes = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "tidings-session",
    description: "Set by a sign-in; over TLS its name is `__Host-tidings-session`.",
  },
  workspace: {
    type: "apiKey",
    in: "header",
    name: "X-Tidings-Workspace",
    description: "With a session: the workspace, `ws_...`. A GET also takes `?workspace=`.",
  },
};

/** Whether an API key opens the operation. */
export const byKey = ({ security }: Operation): boolean =>
  security === undefined || security.some((way) => "bearer" in way);
export const keySchemes = {
  bearer: { type: "http", scheme: "bearer" },
  basic: { type: "http", scheme: "basic", description: "The key as the user name." },
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
};

const header = (name: string, description: string, maxLength: number) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", minLength: 1, maxLength },
});
export const idempotencyKey = header(
  "Idempotency-Key",
  "The same key and body give the first answer again, for 24 hours.",
  255,
);
export const retryCount = header(
  "X-Retry-Count",
  "Above 0 where a client repeats a call without an Idempotency-Key: within 10 minutes the first answer is given again.",
  10,
);
export const ifMatch = header(
  "If-Match",
  "The ETag that the resource must still have, or several; otherwise 412 `changed_meanwhile`, and nothing changes.",
  8_192,
);
export const ifNoneMatch = header("If-None-Match", "The ETag that the client has: 304 if nothing changed.", 8_192);
export const etag = {
  description:
    "Stands for this state of the resource. The half before the dot, for what was authored, counts in If-Match.",
  schema: { type: "string" },
};
export const personToken = header(
  "X-Person-Token",
  "Proves who the person is, with a public key where the workspace requires it.",
  8_192,
);

/** Returns a sentence about the key that a route needs; undefined where it needs none. */
export function keyOf({
  config,
  method,
  schema,
}: Pick<RouteOptions, "config" | "method" | "schema">): string | undefined {
  const security = (schema as { security?: object[] } | undefined)?.security;
  if (security?.length === 0) return undefined;
  if (security) return "Takes no key: a member calls it with a session.";
  if (config?.access === "public") return "Takes a public or a secret key.";
  const scope = config?.needs ?? (method === "GET" ? "read" : undefined);
  return scope === undefined
    ? "Needs a secret key that is not narrowed."
    : `Needs a secret key; a narrowed one needs the scope \`${scope}\`.`;
}

/** Returns the paths with `{rest}` for the rest of a path. Fastify calls it `*`, which OpenAPI tools do not take as a parameter. */
export const restNamed = (paths: Record<string, Record<string, Operation>>): typeof paths =>
  Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => {
      for (const { parameters = [] } of Object.values(operations))
        for (const parameter of parameters) if (parameter.name === "*") parameter.name = "rest";
      return [path.replace("{*}", "{rest}"), operations];
    }),
  );
