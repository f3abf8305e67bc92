import { errors } from "@tidings/contract/errors";
import { describe, expect, test } from "vitest";
import { testService } from "../test/support/service.ts";

const it = await testService();
const document = (await it.call("GET", "/openapi.json", { key: null })).body;
const IN_APP = "/data-gateway/v1/in-app/messages";
const names = (path: string, method: string): string[] =>
  (document.paths[path][method].parameters ?? []).map((parameter: { name: string }) => parameter.name);

describe("the OpenAPI document", () => {
  test("is of version 3.1 and says with each operation how an error looks", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.components.schemas.Problem.properties.code.enum).toEqual(Object.keys(errors));
    for (const [path, operations] of Object.entries<Record<string, { responses: Record<string, unknown> }>>(
      document.paths,
    ))
      for (const [method, { responses }] of Object.entries(operations))
        expect(responses.default, `${method} ${path}`).toMatchObject({
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        });
  });

  test("asks for no parameter that may be left out", () => {
    const required = document.paths[`${IN_APP}/sync`].get.parameters.filter(
      (parameter: { required: boolean }) => parameter.required,
    );
    expect(required.map((parameter: { name: string }) => parameter.name)).toEqual(["person_id"]);
  });

  test("names Idempotency-Key where something is made, and nowhere else", () => {
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

  test("lets a public key stand in the address on GET of the in-app routes only", () => {
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

  test("says that the stream is one of events", () => {
    expect(Object.keys(document.paths[`${IN_APP}/stream`].get.responses["200"].content)).toEqual(["text/event-stream"]);
  });
});
