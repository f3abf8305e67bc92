import { shapes } from "@tidings/contract/shapes";

// PostgreSQL gives the keys of stored JSON by their length: a branch would have `else` before `then`, and after both its `type`. People read
// such answers and copy them, so fields come in the order in which the contract names them.

/** The parts of a JSON schema that say which fields an object has. */
interface Node {
  /** The shape that the value has, see contract/shapes.ts. */
  "x-shape"?: string;
  /** The shape whose order the fields have. The value itself may lack fields of it and have others. */
  "x-order"?: string;
  $ref?: string;
  anyOf?: Node[];
  oneOf?: Node[];
  items?: Node;
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
  const?: unknown;
  enum?: unknown[];
}

type Fields = Record<string, unknown>;

/** Returns whether a schema, or one inside it, names a shape: `inOrder` changes nothing of other values. */
export function namesShape(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return "x-shape" in schema || "x-order" in schema || Object.values(schema).some(namesShape);
}

/** Returns the value with the fields of its objects in the order of the schema. Fields that the schema does not name follow, in their own order. */
export function inOrder(schema: object, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const candidates = candidatesOf(schema);
  if (Array.isArray(value)) {
    const items = candidates.find((one) => one.items)?.items;
    return items ? value.map((one) => inOrder(items, one)) : value;
  }
  const fitting = bestOf(candidates, value as Fields);
  return fitting ? orderedBy(fitting, value as Fields) : value;
}

function orderedBy({ properties = {}, additionalProperties }: Node, fields: Fields): Fields {
  const others = typeof additionalProperties === "object" ? additionalProperties : {};
  const named = Object.entries(properties).filter(([name]) => Object.hasOwn(fields, name));
  const unnamed = Object.entries(fields).filter(([name]) => !Object.hasOwn(properties, name));
  return Object.fromEntries([
    ...named.map(([name, schema]) => [name, inOrder(schema, fields[name])]),
    ...unnamed.map(([name, value]) => [name, inOrder(others, value)]),
  ]);
}

/** Returns the schema without references and alternatives: one for each alternative. */
function candidatesOf(node: Node): Node[] {
  const name = node["x-shape"] ?? node["x-order"] ?? node.$ref?.replace("#/components/schemas/", "");
  if (name !== undefined) return candidatesOf(shapes[name] ?? {});
  const either = node.anyOf ?? node.oneOf;
  return either ? either.flatMap(candidatesOf) : [node];
}

/** Returns the schema of an object that names the most of its fields, and allows their values. */
function bestOf(candidates: Node[], fields: Fields): Node | undefined {
  let best: { node: Node; known: number } | undefined;
  for (const node of candidates) {
    const { properties, additionalProperties } = node;
    if (!properties && typeof additionalProperties !== "object") continue;
    const known = Object.keys(properties ?? {}).filter((name) => Object.hasOwn(fields, name));
    if (!known.every((name) => allows(properties?.[name], fields[name]))) continue;
    if (!best || known.length > best.known) best = { node, known: known.length };
  }
  return best?.node;
}

const allows = (field: Node = {}, value: unknown): boolean =>
  field.const !== undefined ? field.const === value : (field.enum?.includes(value) ?? true);
