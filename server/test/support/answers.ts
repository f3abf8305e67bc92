import type { Service } from "../../src/process/index.ts";

/** The answers of a service in a test file, which are compared with its OpenAPI documents when the file ends. */
export interface Answers {
  take(method: string, route: string, status: number, type: string): void;
  /** @throws an error that names each route, status and media type that the documents do not have */
  compare(service: Service): void;
}

/** Routes that no document describes: the dashboard's pages, the operator's routes and the documents themselves. HEAD and OPTIONS follow from the other methods. */
const UNDESCRIBED =
  /^(?:HEAD|OPTIONS) |^\w+ (?:|\/|\/(?:setup|sign-in|reset|invitation|w\/\*|assets\/\*|frame|docs.*|healthz|readyz|metrics|(?:compat\/)?openapi\.json)) /;

/** Statuses whose media type Fastify removes after the hooks. */
const WITHOUT_BODY = new Set([204, 304]);

/** All services of a worker have the same routes. Building the documents takes 40 ms of CPU, which each of 250 services took. */
let documents: Document[] | undefined;

function documentsOf({ app }: Service): Document[] {
  const { swagger, compatDocument } = app as unknown as Record<"swagger" | "compatDocument", () => Document>;
  return [swagger(), compatDocument()];
}

export function answersOf(): Answers {
  const seen = new Set<string>();
  return {
    take: (method, route, status, type) =>
      void seen.add(`${method} ${route} ${status} ${WITHOUT_BODY.has(status) ? "" : type}`),
    compare(service) {
      const described = [...seen].filter((answer) => !UNDESCRIBED.test(answer));
      if (described.length === 0) return;
      documents ??= documentsOf(service);
      const unknown = described.filter((answer) => !documents?.some((document) => describes(document, answer)));
      if (unknown.length > 0) throw new Error(`not in the OpenAPI documents: ${unknown.toSorted().join(", ")}`);
    },
  };
}

function describes({ paths, components }: Document, answer: string): boolean {
  const [method = "", route = "", status = "", type = ""] = answer.split(" ");
  const path = route.replaceAll(/:(\w+)/g, "{$1}").replace("*", "{rest}");
  const response = paths[path]?.[method.toLowerCase()]?.responses[status];
  if (!response) return false;
  const name = response.$ref?.split("/").at(-1);
  const { content } = name === undefined ? response : (components.responses[name] as Response);
  return type === "" ? content === undefined : type in (content ?? {});
}

interface Response {
  $ref?: string;
  content?: Record<string, object>;
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response | undefined> }>>;
  components: { responses: Record<string, Response> };
}
