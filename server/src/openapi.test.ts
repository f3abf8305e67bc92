import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { errors } from "@tidings/contract/errors/errors";
import { examples } from "@tidings/contract/examples/index";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { testService } from "../test/support/service.ts";

const it = await testService();
const document = (await it.call("GET", "/openapi.json", { key: null })).body;
const IN_APP = "/data-gateway/v1/in-app/messages";
/** The pages that recipients open: each of their answers is HTML. */
const isPage = (path: string): boolean => /^\/(?:preferences|unsubscribe)\//.test(path);
const names = (path: string, method: string): string[] =>
  (document.paths[path][method].parameters ?? []).map((parameter: { name: string }) => parameter.name);

interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  description?: string;
  security?: object[];
  requestBody?: {
    content: Record<string, { schema: Record<string, unknown>; examples?: Record<string, { value: unknown }> }>;
  };
  responses: object;
}

const KEYWORDS = new Set(
  `$ref allOf anyOf oneOf not type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength
  pattern maxItems minItems uniqueItems maxProperties minProperties required properties patternProperties additionalProperties
  items title description default examples format`.split(/\s+/),
);
/** The values of these keywords map names to schemas. */
const NAMING = new Set(["properties", "patternProperties"]);
const VALUES = new Set(["enum", "const", "default", "examples", "required"]);

/** The keywords of all schemas in a document. */
function keywordsOf(node: unknown, inSchema = false, found = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const one of node) keywordsOf(one, inSchema, found);
  else if (typeof node === "object" && node !== null)
    for (const [name, one] of Object.entries(node)) {
      if (inSchema) found.add(name);
      if (inSchema && VALUES.has(name)) continue;
      if ((inSchema && NAMING.has(name)) || (!inSchema && name === "schemas"))
        for (const schema of Object.values(one as object)) keywordsOf(schema, true, found);
      else keywordsOf(one, inSchema || name === "schema", found);
    }
  return found;
}

/** Returns the validation of a body by the document's schema. */
function bodyCheck(path: string): (body: object) => boolean {
  const { schema } = document.paths[path].post.requestBody.content["application/json"];
  return new Ajv({ strict: false }).compile({ ...schema, components: document.components }) as (
    body: object,
  ) => boolean;
}

describe("the OpenAPI document", () => {
  test("is of version 3.1 and describes the errors of each operation", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.components.schemas.Problem.properties.code.enum).toEqual(Object.keys(errors));
    for (const [path, operations] of Object.entries<Record<string, { responses: Record<string, unknown> }>>(
      document.paths,
    ))
      for (const [method, { responses }] of Object.entries(operations))
        if (!isPage(path))
          expect(responses.default, `${method} ${path}`).toEqual({ $ref: "#/components/responses/Problem" });
    for (const answer of Object.values<object>(document.components.responses))
      expect(answer).toMatchObject({
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      });
  });

  test("gives each operation a name of its own, a summary, tags, its keys and the errors of its kind of route", () => {
    const ids: string[] = [];
    for (const [path, operations] of Object.entries<Record<string, Operation>>(document.paths))
      for (const [method, { operationId, summary, tags, security, responses }] of Object.entries(operations)) {
        expect({ operationId, summary, tag: tags?.[0] }, `${method} ${path}`).toEqual({
          operationId: expect.stringMatching(/^[a-z]+[A-Z]\w+$/),
          summary: expect.stringMatching(/./),
          tag: expect.stringMatching(/./),
        });
        ids.push(operationId);
        const bySignature = path.startsWith("/callbacks/");
        const entrance = /^\/api\/v1\/(?:setup|password-resets.*|invitations\/accept|oidc\/.*)$/.test(path);
        const signIn = method === "post" && /^\/api\/v1\/session(?:\/passkey.*)?$/.test(path);
        const open = bySignature || isPage(path) || /^\/(?:t|media)\//.test(path) || entrance || signIn;
        expect((security ?? document.security).length === 0, path).toBe(open);
        const known = [
          ...(isPage(path) ? ["410"] : ["400", "503"]),
          ...(open && !bySignature ? [] : ["401", "403"]),
          "429",
          ...(path.includes("{") ? ["404"] : []),
        ];
        expect(Object.keys(responses), `${method} ${path}`).toEqual(expect.arrayContaining(known));
      }
    expect(ids.length).toBe(new Set(ids).size);
  });

  test("has no keyword that JSON Schema 2020-12 does not know, except those that begin with x-", () => {
    expect([...keywordsOf(document)].filter((word) => !word.startsWith("x-") && !KEYWORDS.has(word))).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/"x-(?:shape|variants|optional)"/);
  });

  test("says of each operation which key it needs, and shows an example of each JSON body that its schema accepts", () => {
    const shown = new Set<string>();
    for (const [path, operations] of Object.entries<Record<string, Operation>>(document.paths))
      for (const [method, { operationId, description, security, requestBody }] of Object.entries(operations)) {
        if (security?.length !== 0)
          expect(description, `${method} ${path}`).toMatch(/secret key|public key|Takes no key/);
        const json = requestBody?.content["application/json"];
        if (!json) continue;
        shown.add(operationId);
        const { $schema: _, ...schema } = json.schema;
        const accepts = new Ajv({ strict: false }).compile({ ...schema, components: document.components });
        const own = Object.entries(json.examples ?? {});
        expect(own, `${operationId} has an example in contract/examples`).not.toEqual([]);
        for (const [name, { value }] of own) {
          accepts(value);
          expect.soft(accepts.errors ?? [], `${operationId}, ${name}`).toEqual([]);
        }
      }
    expect(Object.keys(examples).filter((name) => !shown.has(name))).toEqual([]);
  });

  test("is accepted by redocly's linter", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tidings-openapi-"));
    try {
      await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
      // Tests run on localhost; everything else is the linter's own recommendation.
      await writeFile(join(folder, "redocly.yaml"), "extends: [recommended]\nrules: {no-server-example.com: off}\n");
      const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
      const linter = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [linter, "lint", "openapi.json", "--format=summary"],
        { cwd: folder, env },
      ).catch((error) => ({ stdout: `${error.stdout}${error.stderr}` }));
      expect(stdout).not.toMatch(/error|warning/i);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("has a target for each $ref", () => {
    for (const [, group = "", name = ""] of JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/(\w+)"/g))
      expect(document.components[group]).toHaveProperty(name);
  });

  test("has each kind of provider with its own settings, and each channel with its own content", () => {
    const fits = (path: string, body: object) => bodyCheck(path)(body);
    const provider = (kind: string, rest: object) => ({ name: "A", channel: "email", kind, ...rest });
    const smtp = { settings: { host: "mail.test" } };
    expect(fits("/api/v1/providers", provider("smtp", smtp))).toBe(true);
    expect(fits("/api/v1/providers", provider("smtp", {}))).toBe(false);
    expect(fits("/api/v1/providers", provider("resend", smtp))).toBe(false);
    expect(fits("/api/v1/providers", provider("local", {}))).toBe(true);
    const push = { name: "A", channel: "push", kind: "webpush" };
    expect(fits("/api/v1/providers", { ...push, settings: { subject: "mailto:a@acme.test" } })).toBe(true);
    const said = { name: "A", subscription_preference: "all", content: { body: "Hello" } };
    expect(fits("/api/v1/transactionals", { ...said, channel: "sms" })).toBe(true);
    expect(fits("/api/v1/transactionals", { ...said, channel: "email" })).toBe(false);
  });

  test("marks no optional parameter as required", () => {
    const required = document.paths[`${IN_APP}/sync`].get.parameters.filter(
      (parameter: { required: boolean }) => parameter.required,
    );
    expect(required.map((parameter: { name: string }) => parameter.name)).toEqual(["person_id"]);
  });

  test("requires a JSON body, except where a call without one counts as one with an empty object", () => {
    const required = (path: string) => document.paths[path].post.requestBody.required;
    expect(required("/api/v1/topics")).toBe(true);
    expect(["activate", "runs"].map((name) => required(`/api/v1/campaigns/{id}/${name}`))).toEqual([false, true]);
  });

  test("lists Idempotency-Key on operations that create something, and on no other", () => {
    for (const path of [
      "/data-gateway/transactionals/email",
      "/data-gateway/transactionals/batch",
      "/api/v1/api-keys",
      "/api/v1/in-app-messages/{id}/test-sends",
      `${IN_APP}/{delivery_id}/impression`,
    ])
      expect(names(path, "post"), path).toContain("Idempotency-Key");
    for (const path of ["/data-gateway/v1/identify", "/api/v1/audiences/preview"])
      expect(names(path, "post"), path).not.toContain("Idempotency-Key");
  });

  test("allows a public key in the URL only on GET of the in-app routes", () => {
    const inAddress = Object.entries<Record<string, object>>(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, operation]) => JSON.stringify(operation).includes("publicKeyInAddress"))
        .map(([method]) => `${method} ${path}`),
    );
    expect(inAddress.toSorted()).toEqual([
      "get /data-gateway/v1/in-app/inbox",
      `get ${IN_APP}/stream`,
      `get ${IN_APP}/sync`,
    ]);
  });

  test("describes that the recipients' routes answer with web pages, a picture or a redirect", () => {
    const answers = (path: string, method: string) =>
      Object.entries<{ content?: object }>(document.paths[path][method].responses).map(
        ([status, { content }]) => `${status} ${Object.keys(content ?? {})}`,
      );
    for (const path of ["/preferences/{token}", "/unsubscribe/{token}"])
      for (const method of ["get", "post"])
        for (const answer of answers(path, method)) expect(answer).toMatch(/text\/html$/);
    const { content } = document.paths["/unsubscribe/{token}"].post.requestBody;
    expect(Object.keys(content)).toEqual(["application/x-www-form-urlencoded", "multipart/form-data"]);
    expect(answers("/t/o/{file}", "get")).toContain("200 image/gif");
    expect(answers("/t/c/{rest}", "get")).toEqual(expect.arrayContaining(["302 ", "404 text/html"]));
  });

  test("describes the body of each successful answer that has one", () => {
    const without = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        Object.entries<{ content?: object }>(responses as never)
          .filter(([status, { content }]) => /^2/.test(status) && status !== "204" && !content)
          .map(([status]) => `${method} ${path} ${status}`),
      ),
    );
    expect(without).toEqual([]);
  });

  test("describes the streams as streams of events", () => {
    for (const path of [`${IN_APP}/stream`, "/api/v1/live"])
      expect(Object.keys(document.paths[path].get.responses["200"].content)).toEqual(["text/event-stream"]);
  });
});

describe("the OpenAPI document for clients of other products", async () => {
  const compat = (await it.call("GET", "/compat/openapi.json", { key: null })).body;
  const operations = Object.entries<Record<string, Operation>>(compat.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );

  test("has exactly the routes under /compat/, which the main document does not have", () => {
    expect(operations.length).toBeGreaterThan(30);
    for (const { path } of operations) expect(path).toMatch(/^\/compat\//);
    for (const path of Object.keys(document.paths)) expect(path).not.toMatch(/^\/compat\//);
  });

  test("gives each operation a name of its own, a summary, its client and errors as that client reads them", () => {
    for (const { path, method, operationId, summary, tags, responses } of operations) {
      const client = path.split("/")[2] as string;
      expect({ operationId, summary, tags }, `${method} ${path}`).toEqual({
        operationId: expect.stringMatching(/^[a-z]+[A-Z]\w+$/),
        summary: expect.stringMatching(/./),
        tags: [client],
      });
      const error = client === "customerio" ? "CustomerioError" : "SegmentError";
      for (const [status, answer] of Object.entries(responses))
        if (!status.startsWith("2")) expect(answer).toEqual({ $ref: `#/components/responses/${error}` });
    }
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  test("has no keyword that JSON Schema does not know, and a target for each $ref", () => {
    expect([...keywordsOf(compat)].filter((word) => !word.startsWith("x-") && !KEYWORDS.has(word))).toEqual([]);
    for (const [, group = "", name = ""] of JSON.stringify(compat).matchAll(/"#\/components\/(\w+)\/(\w+)"/g))
      expect(compat.components[group]).toHaveProperty(name);
  });
});
