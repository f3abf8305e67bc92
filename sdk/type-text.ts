// Writes schemas of the contract as TypeScript, for the packages whose types are generated from the contract.

export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  description?: string;
  $ref?: string;
}

/** Returns a property's name as TypeScript writes it, in quotes where it needs them. */
export const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** Returns a schema as a TypeScript type. `given`: the type is for input of the caller, where a time may be a Date. */
export function typeOf(schema: Schema, given: boolean): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const options = schema.anyOf ?? (schema.properties ? undefined : schema.oneOf);
  if (options) return [...new Set(options.map((one) => typeOf(one, given)))].join(" | ");
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return [...new Set(types.map((type) => plainType(type, schema, given)))].join(" | ");
}

function plainType(type: string | undefined, schema: Schema, given: boolean): string {
  if (type === "string") return given && ("instant" in schema || "x-instant" in schema) ? "string | Date" : "string";
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean" || type === "null") return type;
  if (type === "array") {
    const items = typeOf(schema.items ?? {}, given);
    return /[ |&]/.test(items) && !items.startsWith("{") ? `(${items})[]` : `${items}[]`;
  }
  if (type !== "object") return "unknown";
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, one]) => `${keyOf(name)}${required.has(name) ? "" : "?"}: ${typeOf(one, given)}`,
  );
  if (fields.length > 0) return `{ ${fields.join("; ")} }`;
  const values = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
  return `Record<string, ${typeof values === "object" ? typeOf(values, given) : "unknown"}>`;
}
