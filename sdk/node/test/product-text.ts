// Writes src/product.ts from the service's OpenAPI document, which is made from the contract's schemas.

import { keyOf, type Schema, typeOf } from "../../type-text.ts";
interface Content {
  content?: Record<string, { schema?: Schema }>;
}

interface Operation {
  security?: object[];
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
}

interface Document {
  components: { schemas: Record<string, Schema> & { Problem: Schema } };
  paths: Record<string, Record<string, Operation>>;
}

interface Method {
  name: string;
  summary: string;
  /** The route, e.g. `POST /api/v1/broadcasts/:id/send`, and the input that its method takes after the ids. */
  route: string;
  takes: "body" | "query" | "text" | "form" | "nothing";
  signature: string;
}

const HEAD = `// Every route of the product API, written from the service's OpenAPI document by \`npx vitest run sdk/node/test/product-text.test.ts -u\`.
// Do not edit.

import type { RequestOptions } from "./resources.ts";
`;

/** Returns the text of src/product.ts. */
export function productText(document: Document): string {
  const resources: Record<string, Method[]> = {};
  for (const [path, operations] of Object.entries(document.paths)) {
    const [, resource = "", rest = ""] = /^\/api\/v1\/([^/]+)(.*)$/.exec(path) ?? [];
    if (!resource) continue;
    const siblings = Object.keys(operations);
    for (const [method, operation] of Object.entries(operations)) {
      // The routes of a person who uses the dashboard take no key.
      if (!operation.security?.some((way) => "bearer" in way)) continue;
      // A stream has no end to wait for.
      if (operation.responses["200"]?.content?.["text/event-stream"]) continue;
      const found = methodOf(method, path, nameOf(method, rest, siblings, operation), operation);
      const group = camel(resource.split("-"));
      const list = resources[group] ?? [];
      resources[group] = list;
      if (list.some(({ name }) => name === found.name))
        throw new Error(`${path}: ${resource}.${found.name} is there twice`);
      list.push(found);
    }
  }
  const sorted = Object.entries(resources).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const types = sorted.map(
    ([name, methods]) =>
      `  ${name}: {\n${methods.map((method) => `    /** ${method.summary}. \`${method.route}\` */\n    ${method.name}${method.signature};\n`).join("")}  };\n`,
  );
  const table = sorted.map(
    ([name, methods]) =>
      `  ${name}: {\n${methods.map(({ name, route, takes }) => `    ${name}: ["${route}", "${takes}"],\n`).join("")}  },\n`,
  );
  return [
    HEAD,
    `/** The codes of the service's errors; docs/errors.md says what each means. */\nexport type ServiceErrorCode = ${typeOf(document.components.schemas.Problem.properties?.code ?? {}, false)};\n`,
    ...shapesIn(document).map(([name, text]) => `export type ${name} = ${text};\n`),
    `export interface Product {\n${types.join("")}}\n`,
    `export const routes: Record<string, Record<string, [route: string, takes: "body" | "query" | "text" | "form" | "nothing"]>> = {\n${table.join("")}};\n`,
  ].join("\n");
}

/** Returns the shapes that the requests name, and the shapes that these name, as types. */
function shapesIn({ paths, components }: Document): [string, string][] {
  const found = new Map<string, string>();
  const collect = (from: unknown): void => {
    for (const [, name = ""] of JSON.stringify(from ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = components.schemas[name];
      if (!schema || found.has(name)) continue;
      found.set(name, typeOf(schema, true));
      collect(schema);
    }
  };
  for (const operations of Object.values(paths))
    for (const { requestBody } of Object.values(operations)) collect(withoutVariants(requestBody));
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns a schema as `typeOf` reads it: `typeOf` ignores a oneOf beside properties. */
const withoutVariants = (node: unknown): unknown =>
  JSON.parse(
    JSON.stringify(node ?? {}, (_, one) => (one?.properties && one.oneOf ? { ...one, oneOf: undefined } : one)),
  );

function methodOf(method: string, path: string, name: string, operation: Operation): Method {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, id = ""]) => `${camel(id.split("_"))}: ${id === "version" ? "number" : "string"}`,
  );
  const body = operation.requestBody?.content;
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  let takes: Method["takes"] = "nothing";
  const args = [...ids];
  if (body?.["application/json"]) {
    takes = "body";
    args.push(
      `body${operation.requestBody?.required === false ? "?" : ""}: ${typeOf(body["application/json"].schema ?? {}, true)}`,
    );
  } else if (body?.["multipart/form-data"]) {
    takes = "form";
    args.push(`form: ${typeOf(body["multipart/form-data"].schema ?? {}, true).replace("file: string", "file: Blob")}`);
  } else if (body?.["text/csv"]) {
    takes = "text";
    args.push("csv: string");
  } else if (query.length > 0) {
    takes = "query";
    const required = query.some((parameter) => parameter.required);
    const fields = query.map(
      (parameter) =>
        `${keyOf(parameter.name)}${parameter.required ? "" : "?"}: ${typeOf(parameter.schema ?? {}, true)}`,
    );
    args.push(`query${required ? "" : "?"}: { ${fields.join("; ")} }`);
  }
  args.push("options?: RequestOptions");
  const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
  return {
    name,
    route,
    takes,
    summary: (operation.summary ?? "").replaceAll("*/", ""),
    signature: `(${args.join(", ")}): Promise<${answerOf(operation)}>`,
  };
}

function answerOf({ responses }: Operation): string {
  const texts = Object.entries(responses).flatMap(([status, { content }]) => {
    if (!status.startsWith("2")) return [];
    const json = content?.["application/json"]?.schema;
    if (json) return [typeOf(json, false)];
    return [status === "204" ? "void" : content?.["text/csv"] ? "string" : "unknown"];
  });
  return [...new Set(texts)].join(" | ");
}

/**
 * Names a method: list, create, get, update or remove for a resource itself; what a GET reads by the words of its path; anything else by its
 * verb and then what it concerns, such as `cancelRuns` for `runs/cancel` and `moveRun` for `runs/{run_id}/move`.
 */
function nameOf(method: string, rest: string, siblings: string[], operation: Operation): string {
  const parts = rest.split("/").filter(Boolean);
  const words = parts.filter((part) => !part.startsWith("{"));
  const one = parts.at(-1)?.startsWith("{") === true;
  const plain: Record<string, string> = { post: "create", patch: "update", delete: "remove", put: "put" };
  if (words.length === 0) {
    if (method === "post" && operation.requestBody?.content?.["multipart/form-data"]) return "upload";
    if (method !== "get") return plain[method] ?? method;
    return !one && answerOf(operation).includes("next_cursor") ? "list" : "get";
  }
  const named = (path: string[], single: boolean) =>
    camel(path.flatMap((word, i) => (single && i === path.length - 1 ? singular(word) : word).split("-")));
  if (method === "get") return named(words, one);
  if (method === "post" && !siblings.includes("get")) {
    const verb = (words.at(-1) ?? "").split("-");
    return words.length === 1
      ? camel(verb)
      : camel([...verb, named(words.slice(0, -1), parts.at(-2)?.startsWith("{") === true)]);
  }
  // What a POST makes in a collection, and by which verb, is in its summary: "Start a run".
  const verb =
    { put: "add", delete: "remove", patch: "update" }[method] ?? operation.summary?.split(" ")[0]?.toLowerCase();
  return camel([verb ?? method, named(words, one || method === "post")]);
}

const camel = (words: string[]): string =>
  words.map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
const SINGULAR: Record<string, string> = { people: "person", rejected: "rejected-item" };
const singular = (word: string): string => SINGULAR[word] ?? word.replace(/ies$/, "y").replace(/s$/, "");
