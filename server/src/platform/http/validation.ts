import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import { Ajv, type ValidateFunction } from "ajv";
import type {
  FastifyInstance,
  FastifySchemaValidationError,
  onRequestHookHandler,
  preValidationHookHandler,
} from "fastify";
import type { Static, TSchema } from "typebox";
import { parseInstant } from "../time/clock.ts";
import { oneChoice, type SchemaError } from "./choices.ts";
import { inOrder, namesShape } from "./ordered.ts";
import { badParameter, type FieldError, Problem } from "./problem.ts";

function makeAjv(coerceTypes: boolean) {
  const ajv = new Ajv({
    coerceTypes,
    useDefaults: true,
    removeAdditional: false,
    allErrors: false,
    strict: false,
    verbose: true,
  });
  ajv.addKeyword({
    keyword: "x-instant",
    type: "string",
    validate: (_: unknown, text: string) => parseInstant(text) !== undefined,
  });
  return ajv;
}

// One Ajv for all JSON bodies and one for all texts, because each Ajv compiles the meta-schema again. An Ajv remembers what it compiled by
// the schema: a second application in this process, of which the tests start hundreds, compiles nothing of the contract again.
const json = makeAjv(false);
const text = makeAjv(true);

const compileWriter = SerializerSelector()({}, {});
type Route = Parameters<typeof compileWriter>[0];
const writers = new WeakMap<object, ReturnType<typeof compileWriter>>();

/**
 * Installs the schema checks: with coercion for texts (query, path, headers) and without it for JSON bodies. Each check, and each writer of
 * an answer, is compiled at the first call of its route: compiling 200 routes at the start took a third of the start's time.
 */
export function installValidation(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) => once(httpPart === "body" ? json : text, schema as object));
  app.setSerializerCompiler((route) => {
    let write: ReturnType<typeof compileWriter> | undefined;
    return (data) => {
      write ??= writerOf({ ...route, httpStatus: route.httpStatus ?? "" });
      return write(data);
    };
  });
}

function writerOf(route: Route): ReturnType<typeof compileWriter> {
  const schema = route.schema as object;
  let writer = writers.get(schema);
  if (!writer) {
    const write = compileWriter(route);
    writer = namesShape(schema) ? (data) => write(inOrder(schema, data)) : write;
    writers.set(schema, writer);
  }
  return writer;
}

/** Returns the check of a schema, which is compiled at its first use. */
function once(ajv: Ajv, schema: object): ValidateFunction {
  let compiled: ValidateFunction | undefined;
  const check = ((...args: Parameters<ValidateFunction>) => {
    compiled ??= ajv.compile(schema);
    const fits = compiled(...args);
    check.errors = compiled.errors ?? null;
    return fits;
  }) as ValidateFunction;
  return check;
}

/**
 * Returns a check for JSON that no route's schema covers, e.g. an item of a batch. Its second argument is the JSON pointer of the value
 * in the body. The check @throws Problem invalid_request
 */
export function checkShape<T extends TSchema>(schema: T): (value: unknown, at?: string) => Static<T> {
  const check = once(json, schema);
  return (value, at = "") => {
    if (check(value)) return value as Static<T>;
    const found = (check.errors ?? []) as FastifySchemaValidationError[];
    throw validationProblem(
      found.map((error) => ({ ...error, instancePath: at + error.instancePath })),
      "body",
    );
  };
}

/** Returns whether JSON that no route's schema covers fits, for a caller that answers a value of another shape in its own way. */
export function fitsShape<T extends TSchema>(schema: T): (value: unknown) => value is Static<T> {
  const check = once(json, schema);
  return (value): value is Static<T> => check(value) as boolean;
}

/** For an optional parameter that some clients send empty: an empty one counts as absent, and not as a wrong number. */
export const emptyIsNone =
  (name: string): preValidationHookHandler =>
  (request, _reply, done) => {
    const query = request.query as Record<string, unknown>;
    if (query[name] === "") delete query[name];
    done();
  };

/** For a route that takes a missing body as an empty object. */
export async function bodyOptional(request: { body: unknown }): Promise<void> {
  request.body ??= {};
}

/**
 * Refuses a query parameter that the route does not have: if a misspelt filter were ignored, the answer would list everybody.
 * @throws Problem invalid_request
 */
export const refuseUnknownParameters: onRequestHookHandler = (request, _reply, done) => {
  let known: string[] | undefined;
  for (const name in request.query as object) {
    known ??= Object.keys(
      (request.routeOptions.schema?.querystring as { properties?: object } | undefined)?.properties ?? {},
    );
    if (known.includes(name)) continue;
    const which = known.length === 0 ? "there is none here" : `there are ${known.join(", ")}`;
    done(badParameter(name.slice(0, 100), `is no parameter of this route: ${which}`));
    return;
  }
  done();
};

/** Turns the errors of Ajv into a problem that names each field and says what it should be. */
export function validationProblem(found: FastifySchemaValidationError[], part: string | undefined): Problem {
  const fields = oneChoice(found as SchemaError[]).map((error) => fieldError(error, part));
  const first = fields[0];
  const where = first?.pointer ?? first?.parameter ?? part ?? "request";
  return new Problem("invalid_request", `${where || "The body"} ${first?.message ?? "has the wrong shape"}.`, {
    errors: fields,
  });
}

const KINDS: Record<string, string> = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

/** The thing that each limiting keyword counts. */
const COUNTED: Record<string, string> = { Length: "character", Items: "item", Properties: "field" };

/** "must have at most 100 items", where Ajv says "must NOT have more than 100 items", and "must be at most 100"; undefined for other keywords. */
function amount(keyword: string, limit: number): string | undefined {
  if (keyword === "minimum") return `must be at least ${limit}`;
  if (keyword === "maximum") return `must be at most ${limit}`;
  const [, end = "", what = ""] = /^(min|max)(Length|Items|Properties)$/.exec(keyword) ?? [];
  if (!end) return undefined;
  if (keyword === "minLength" && limit === 1) return "must not be empty";
  return `must have at ${end === "min" ? "least" : "most"} ${limit} ${COUNTED[what]}${limit === 1 ? "" : "s"}`;
}

function fieldError(error: SchemaError, part: string | undefined): FieldError {
  const { keyword, params } = error;
  let pointer = error.instancePath;
  let message = amount(keyword, Number(params.limit)) ?? error.message ?? "has the wrong shape";
  if (keyword === "type") {
    const kinds = [params.type].flat().map((kind) => KINDS[String(kind)] ?? String(kind));
    message = `must be ${kinds.join(" or ")}`;
  } else if (keyword === "required") {
    pointer += `/${String(params.missingProperty)}`;
    message = "is required";
  } else if (keyword === "additionalProperties") {
    pointer += `/${String(params.additionalProperty)}`;
    message = "is not a known field";
  } else if (keyword === "enum")
    // A choice of words beside an object says both.
    message = String(
      error.parentSchema?.["x-says"] ?? `must be one of ${(params.allowedValues as unknown[]).join(", ")}`,
    );
  else if ((keyword === "x-instant" || keyword === "pattern") && error.data === "") message = "must not be empty";
  else if (keyword === "x-instant") message = "must be an ISO 8601 time such as 2026-01-31T12:00:00Z";
  else if (keyword === "pattern")
    message = String(error.parentSchema?.["x-says"] ?? "has characters that are not allowed here");
  return part === "body" ? { pointer, message } : { parameter: pointer.slice(1), message };
}
