import type { DataSchema } from "../../transactionals/index.ts";

/** A transactional as its types need it. */
export interface Typed {
  /** Trigger name, or id where there is none. */
  name: string;
  channel: string;
  contract: DataSchema;
}

/** The TypeScript text of `npx tidings types`: it fills in `Transactionals` of @tidings/node. */
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
  // One type alone is what the content uses it as; of several it is any.
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
  // Data that the content does not read is welcome: another version of it may.
  return `{\n${lines.join("")}${indent}[more: string]: unknown;\n${"  ".repeat(depth)}}`;
}

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
