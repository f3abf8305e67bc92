import type { DataSchema } from "../../transactionals/index.ts";

/** A transactional with what its types are written from. */
export interface Typed {
  /** The trigger name, or the id if there is none. */
  name: string;
  channel: string;
  contract: DataSchema;
}

/** Returns the TypeScript text of `npx tidings types`, which extends `Transactionals` of @tidings/node. */
export function typesText(list: Typed[]): string {
  const members = [...list]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      ({ name, channel, contract }) =>
        `    /** ${channel} */\n    ${keyOf(name)}: ${typeOf(contract, 2, contract.required)};\n`,
    );
  return [
    "// Written by `npx tidings types`: the workspace's transactionals and the data that their content reads.",
    'import "@tidings/node";\n',
    'declare module "@tidings/node" {',
    `  interface Transactionals {\n${members.join("")}  }`,
    "}\n",
  ].join("\n");
}

function typeOf({ type, properties }: DataSchema, depth: number, required: string[] = []): string {
  if (type === "object") return objectOf(properties ?? {}, required, depth);
  const [known, orNull, ...more] = [type ?? []].flat();
  const text = known && TEXTS[known];
  // A single type is the one that the content needs. With several types any value is allowed.
  if (text && more.length === 0 && (orNull === undefined || orNull === "null")) return orNull ? `${text} | null` : text;
  return type?.includes("null") ? "unknown" : "NonNullable<unknown>";
}

const TEXTS: Record<string, string> = { array: "unknown[]", number: "number", string: "string" };

function objectOf(properties: Record<string, DataSchema>, required: string[], depth: number): string {
  const indent = "  ".repeat(depth + 1);
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${indent}${keyOf(name)}${mark}: ${typeOf(schema, depth + 1, schema.required)};\n`;
  });
  // Data that this version of the content does not read is allowed, because another version may read it.
  return `{\n${lines.join("")}${indent}[more: string]: unknown;\n${"  ".repeat(depth)}}`;
}

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
