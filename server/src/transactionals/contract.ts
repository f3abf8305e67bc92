import { fieldsOf, type NamedField, type Use } from "../content/index.ts";
import { partsOf } from "../outbound/index.ts";
import type { TransactionalRow } from "./store.ts";

/** The part of JSON Schema (draft 2020-12) that a contract uses. */
export interface DataSchema {
  type?: string | string[];
  properties?: Record<string, DataSchema>;
  required?: string[];
}

/** The types of a required field. Null is not allowed, because it counts as missing: it renders as an empty text. */
const FILLED = ["string", "number", "boolean", "array", "object"];
const TYPES: Record<Use, string> = { list: "array", number: "number", text: "string" };

/**
 * Returns the contract of a transactional: a JSON Schema of the `message_data` that its content reads as `trigger.*`. A field is
 * required unless the content gives it a default or tests it first (contract, section 4). It has a type if all its uses need the
 * same type. Further fields are allowed.
 * @param row with the content of its template, if it has one
 */
export function contractOf(row: Pick<TransactionalRow, "name" | "trigger_name" | "channel" | "content">): object {
  const { name, trigger_name, channel, content } = row;
  const schema: DataSchema = { type: "object", properties: {} };
  for (const field of fieldsOf(partsOf(channel, content)).trigger) add(schema, field.name.split("."), field);
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: trigger_name ?? name, ...schema };
}

/** Adds a path to the schema. A field with fields below it is an object, and required if one of them is. */
function add(schema: DataSchema, [name = "", ...rest]: string[], end: NamedField): void {
  const { required, use } = end;
  schema.type = "object";
  schema.properties ??= {};
  const existing = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  const field = existing ?? {};
  // Defined and not assigned, because a field may be called __proto__.
  Object.defineProperty(schema.properties, name, {
    value: field,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  if (required && !schema.required?.includes(name)) schema.required = [...(schema.required ?? []), name];
  if (rest.length > 0) add(field, rest, end);
  else field.type ??= typeOf(use, required);
}

function typeOf(use: Use | undefined, required: boolean): string | string[] {
  const type = use ? TYPES[use] : FILLED;
  return required ? type : [type, "null"].flat();
}
