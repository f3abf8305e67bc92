import type { Service } from "../../src/main.ts";

/** What a service answered in a test file, to be held against its OpenAPI document when the file ends. */
export interface Answers {
  take(method: string, route: string, status: number): void;
  /** @throws an error that names each status that the document does not have for its route */
  compare(service: Service): void;
}

export function answersOf(): Answers {
  const seen = new Set<string>();
  return {
    take: (method, route, status) => void seen.add(`${method} ${route} ${status}`),
    compare({ app }) {
      const { paths } = (app as unknown as { swagger(): Document }).swagger();
      const unknown = [...seen].filter((answer) => {
        const [method = "", route = "", status = ""] = answer.split(" ");
        const operation = paths[route.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
        return operation && !(status in operation.responses);
      });
      if (unknown.length > 0) throw new Error(`not in the OpenAPI document: ${unknown.toSorted().join(", ")}`);
    },
  };
}

interface Document {
  paths: Record<string, Record<string, { responses: object }>>;
}
