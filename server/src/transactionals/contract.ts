import { fieldsOf, type NamedField, type Use } from "../content/index.ts";
import { partsOf } from "../outbound/index.ts";
import type { TransactionalRow } from "./store.ts";

/** A JSON Schema (draft 2020-12) of an object, as far as a contract needs one. */
export interface DataSchema {
  type?: string | string[];
  properties?: Record<string, DataSchema>;
  required?: string[];
}

/** What a required field may be. Not null, which counts as missing: it would render as nothing. */
const FILLED = ["string", "number", "boolean", "array", "object"];
const TYPES: Record<Use, string> = { list: "array", number: "number", text: "string" };

/**
 * The contract of a transactional: a JSON Schema of the `message_data` that its content reads, as `trigger.*`. A field is
 * required unless the content gives it a default or tests it first (contract, section 4), and has a type where all that does
 * something with it takes it for the same. Further fields are welcome.
 * @param row with its template's content in place, where it has one
 */
export function contractOf({ name, trigger_name, channel, content }: TransactionalRow): object {
  const schema: DataSchema = { type: "object", properties: {} };
  for (const field of fieldsOf(partsOf(channel, content)).trigger) add(schema, field.name.split("."), field);
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: trigger_name ?? name, ...schema };
}

/** Adds a path to the tree. What has fields below it is an object, and required as soon as one of them is. */
function add(schema: DataSchema, [name = "", ...rest]: string[], end: NamedField): void {
  const { required, use } = end;
  schema.type = "object";
  schema.properties ??= {};
  const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  const field = known ?? {};
  // Defined and not assigned: a field may be called __proto__.
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
