/** The part of a schema of the OpenAPI document that is used here. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
}

/** Returns the fields of an example that the schema does not have, as JSON pointers. An example may omit fields. */
export function strangeTo(value: unknown, schema: Schema, at = ""): string[] {
  if (schema.anyOf) {
    const found = schema.anyOf.map((one) => strangeTo(value, one, at));
    return found.some((list) => list.length === 0) ? [] : (found[0] ?? []);
  }
  if ("const" in schema) return value === schema.const ? [] : [at];
  if (schema.enum) return schema.enum.includes(value) ? [] : [at];
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.includes(typeOf(value)) && !(types.includes("number") && typeOf(value) === "integer"))
    return [at || "/"];
  if (Array.isArray(value)) return value.flatMap((one, i) => strangeTo(one, schema.items ?? {}, `${at}/${i}`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const known = schema.properties?.[name] ?? Object.values(schema.patternProperties ?? {})[0] ?? other(schema);
    return known ? strangeTo(one, known, `${at}/${name}`) : [`${at}/${name}`];
  });
}

function other({ properties, additionalProperties }: Schema): Schema | undefined {
  if (typeof additionalProperties === "object") return additionalProperties;
  return properties && additionalProperties !== true ? undefined : {};
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
