/** The part of JSON Schema that a contract uses. */
export interface DataSchema {
  type?: string | string[];
  properties?: Record<string, DataSchema>;
  required?: string[];
}

/** A field of a contract by its whole name, such as `order.number`. */
export interface ContractField {
  name: string;
  types: readonly string[];
  required: boolean;
}

/** Returns the fields of a contract that contain no others. */
export function fieldsOf(schema: DataSchema, above = ""): ContractField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const whole = above + name;
    if (field.properties) return fieldsOf(field, `${whole}.`);
    const types = [field.type ?? []].flat().filter((type) => type !== "null");
    return [{ name: whole, types, required: schema.required?.includes(name) ?? false }];
  });
}

/** A value that fits a field and shows in a preview which field it is. */
function sampleValue(name: string, { type, properties }: DataSchema): unknown {
  if (properties) return sampleOf({ properties });
  const types = [type ?? "string"].flat();
  if (types.includes("string")) return name;
  if (types.includes("number")) return 42;
  return types.includes("array") ? [{}] : name;
}

/** Returns data that a contract accepts, for a first look. */
export const sampleOf = (schema: DataSchema): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sampleValue(name, field)]));

/** Returns data with samples of what it lacks; what is there stays. */
export function completed(data: Record<string, unknown>, schema: DataSchema): Record<string, unknown> {
  const all = { ...data };
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const there = all[name];
    if (there === undefined || there === null) all[name] = sampleValue(name, field);
    else if (field.properties && typeof there === "object" && !Array.isArray(there))
      all[name] = completed(there as Record<string, unknown>, field);
  }
  return all;
}

/** Reads what was typed as JSON. Undefined where it is no object. */
export function dataOf(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === "object" && data !== null && !Array.isArray(data)
      ? (data as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
