/** A call of the service, to be written down for a program. */
export interface WrittenCall {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With the part before the resource, such as "/api/v1/broadcasts". */
  path: string;
  /** What follows the path. Undefined values are left out. */
  query?: Record<string, unknown>;
  body?: unknown;
  /** The name of the file that is sent as a form, instead of a body. */
  file?: string;
  /** Its method of the client `@tidings/node`, such as "broadcasts.update", and what comes before the body. */
  node: string;
  ids?: readonly string[];
}

const given = (query: WrittenCall["query"] = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));

/** Within the quotes of a shell, in which a quote must end and begin them. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Writes a call as one pastes it into a terminal. */
export function curlOf(call: Omit<WrittenCall, "node">, origin = window.location.origin): string {
  const { method, path, body, file, query } = call;
  const asked = new URLSearchParams(given(query) as Record<string, string>).toString();
  const lines = [
    `curl${method === "GET" || file ? "" : ` -X ${method}`} ${quoted(`${origin}${path}${asked && `?${asked}`}`)}`,
    `-H "Authorization: Bearer $TIDINGS_KEY"`,
    ...(file === undefined ? [] : [`-F ${quoted(`file=@${file}`)}`]),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return lines.join(" \\\n  ");
}

/** Writes a call with `@tidings/node`. Its address and key come from the environment. */
export function nodeOf({ node, ids = [], body, file, query }: Omit<WrittenCall, "method" | "path">): string {
  const asked = given(query);
  const all = [
    ...ids.map((id) => JSON.stringify(id)),
    ...(body === undefined ? [] : [literal(body)]),
    ...(file === undefined ? [] : [`{ file: await openAsBlob(${JSON.stringify(file)}) }`]),
    ...(Object.keys(asked).length > 0 ? [literal(asked)] : []),
  ];
  return [
    ...(file === undefined ? [] : [`import { openAsBlob } from "node:fs";`]),
    `import { Tidings } from "@tidings/node";`,
    "",
    "const tidings = new Tidings(); // TIDINGS_URL and TIDINGS_SECRET_KEY",
    `console.log(await tidings.${node}(${all.join(", ")}));`,
  ].join("\n");
}

/** JSON as JavaScript: names that need no quotes have none. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
