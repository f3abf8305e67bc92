import type { FastifySchemaValidationError } from "fastify";

/** An error of Ajv with the value and the schema that it is about. */
export type SchemaError = FastifySchemaValidationError & { data?: unknown; parentSchema?: Record<string, unknown> };

/**
 * If a value fits none of several shapes, Ajv reports all errors of all shapes and one more. This keeps the errors that help: the errors
 * of the shape whose type the value has, or else one error that lists all types or words that are allowed.
 */
export function oneChoice(found: SchemaError[]): SchemaError[] {
  const choice = found.findLast(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  if (!choice) return found;
  const before = `${choice.schemaPath}/`;
  const branches = new Map<string, SchemaError[]>();
  for (const error of found) {
    if (error === choice || !error.schemaPath.startsWith(before)) continue;
    const branch = error.schemaPath.slice(before.length).split("/")[0] ?? "";
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  const others = found.filter((error) => error !== choice && !error.schemaPath.startsWith(before));
  const tried = [...branches.values()].map(oneChoice);
  return [...others, ...meant(tried, choice)];
}

function meant(tried: SchemaError[][], choice: SchemaError): SchemaError[] {
  const here = (error: SchemaError) => error.instancePath === choice.instancePath;
  const typed = tried.filter((errors) => !errors.some((error) => here(error) && error.keyword === "type"));
  if (typed.length === 0) {
    const types = new Set(tried.flat().flatMap((error) => (here(error) ? [error.params.type].flat() : [])));
    return [{ ...choice, keyword: "type", params: { type: [...types] } }];
  }
  const words = typed
    .flat()
    .flatMap(({ keyword, params }) =>
      keyword === "const" ? [params.allowedValue] : keyword === "enum" ? (params.allowedValues as unknown[]) : [],
    );
  if (words.length > 0 && typed.flat().every((error) => here(error) && ["const", "enum"].includes(error.keyword)))
    return [{ ...choice, keyword: "enum", params: { allowedValues: words } }];
  // The value is meant to have the shape that it fits the furthest.
  const depth = (errors: SchemaError[]) => Math.max(...errors.map(({ instancePath }) => instancePath.length));
  const deepest = Math.max(...typed.map(depth));
  const likely = typed.filter((errors) => depth(errors) === deepest);
  const [only, ...more] = likely;
  if (only && more.length === 0) return only;
  const needed = likely.flat().filter((error) => error.keyword === "required");
  if (needed.length < likely.length) return only ?? [choice];
  const names = [...new Set(needed.map(({ params }) => String(params.missingProperty)))];
  return [{ ...choice, keyword: "choice", message: `needs one of ${names.join(", ")}`, params: {} }];
}
