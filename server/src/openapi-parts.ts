// The keys and headers that both OpenAPI documents describe with the same texts.

/** The fields of an operation of an OpenAPI document that we read and write. */
export interface Operation {
  operationId?: string;
  parameters?: { name: string; in: string; required?: boolean; schema?: object }[];
  requestBody?: { required?: boolean; content?: Record<string, { schema?: Record<string, unknown> }> };
  responses: Record<string, object | undefined>;
  security?: object[];
}

export const KEYS = [{ bearer: [] }, { basic: [] }, { apiKey: [] }];
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
export const personToken = header(
  "X-Person-Token",
  "Proves who the person is, with a public key where the workspace requires it.",
  8_192,
);
