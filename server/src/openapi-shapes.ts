import { variants } from "@tidings/contract/shapes";

/**
 * Returns the document with the shapes of the fields that a slice validates itself: `x-shape` becomes a $ref to a schema under
 * `components`, and `x-variants` a oneOf beside the fields that all variants have. It leaves the marks `x-optional` and `x-order` out. It returns
 * new objects: the old ones validate bodies.
 */
export function shaped<T>(node: T): T {
  if (Array.isArray(node)) return node.map(shaped) as T;
  if (typeof node !== "object" || node === null) return node;
  const {
    "x-shape": shape,
    "x-variants": variant,
    "x-optional": _optional,
    "x-order": _order,
    ...rest
  } = node as Record<string, unknown>;
  if (typeof shape === "string") {
    const { description, examples } = rest;
    const $ref = `#/components/schemas/${shape}`;
    return {
      $ref,
      ...(description !== undefined && { description }),
      ...(examples !== undefined && { examples }),
    } as T;
  }
  const all = typeof variant === "string" ? { ...rest, oneOf: variants[variant] } : rest;
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, shaped(one)])) as T;
}

/** Names an operation: `GET /api/v1/broadcasts/{id}/metrics` is `getBroadcastMetrics`, `POST /api/v1/broadcasts` is `createBroadcast`. */
export function named(method: string, path: string, { responses }: { responses: object }): string {
  const parts = path
    .replace(/^\/(?:api|data-gateway)\/(?:v1\/)?/, "/")
    .split("/")
    .filter(Boolean);
  const creates = method === "post" && "201" in responses && parts.length === 1;
  const words = parts.flatMap((part, i) => {
    if (part.startsWith("{")) return [];
    const one = creates || parts[i + 1]?.startsWith("{");
    return (one ? singular(part) : part).split("-");
  });
  return (creates ? "create" : method) + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** What one of these is called. */
const ONE: Record<string, string> = { people: "person", media: "media-item" };
const singular = (word: string): string => ONE[word] ?? word.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
