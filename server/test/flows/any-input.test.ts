import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testService } from "../support/service.ts";

// Calls every route with the examples of the OpenAPI document, changed at random. Ids that were answered are used again, so that calls meet
// resources in all states.

const it = await testService();

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
interface Operation {
  security?: object[];
  parameters?: { name: string; in: string; schema: { enum?: string[] } }[];
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
}
const document = (await it.call("GET", "/openapi.json", { key: null })).body as {
  paths: Record<string, Record<string, Operation>>;
};

/**
 * Left out: streams, which do not end; what calls another host; what locks this test out; and routes of a member's session. The pages of
 * recipients have signed links.
 */
const LEFT_OUT =
  /\/(?:stream|live)$|\/test$|sender-domains\/|\/oidc|^(?:PATCH \/api\/v1\/workspace|(?:POST|DELETE) \/api\/v1\/api-keys.*)$/;
const isPersonal = ({ security }: Operation) => security !== undefined && !security.some((way) => "bearer" in way);
const routes = Object.entries(document.paths)
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase() as Method,
      path,
      operation,
    })),
  )
  .filter(({ path, operation }) => /^\/(?:api|data-gateway)\//.test(path) && !isPersonal(operation))
  .filter(({ method, path }) => !LEFT_OUT.test(`${method} ${path}`));
type Route = (typeof routes)[number];

const ID = /^([a-z]{2,6})_[0-9a-hjkmnp-tv-z]{26}$/;
/** The ids that were answered, by their prefix, and where paths have them. */
const known = new Map<string, string[]>();
const owners = new Map<string, string>();
function remember(value: unknown, path: string): void {
  if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      const prefix = name === "id" && typeof one === "string" && ID.exec(one)?.[1];
      if (prefix && !owners.has(path)) owners.set(path, prefix);
      remember(one, path);
    }
  } else if (typeof value === "string") {
    const prefix = ID.exec(value)?.[1];
    if (prefix) known.set(prefix, [...(known.get(prefix) ?? []).slice(-20), value]);
  }
}

const PEOPLE = ["ada", "bob", "a/b", "ü ñ", "%2e", "x".repeat(256)];
const TEXTS = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "a\u202eb",
  "{{ person.first_name }}",
  "{{",
  "{% for i in (1..3) %}x{% endfor %}",
  "{{ 1 | divided_by: 0 }}",
  "x".repeat(3_000),
  "2026-02-30T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "0000-01-01T00:00:00Z",
  "http://127.0.0.1:1/",
  "javascript:alert(1)",
  "__proto__",
  "a\r\nBcc: x@y.example",
];
const NUMBERS = [0, -1, 0.5, 101, 1e308, 2 ** 31, 2 ** 53 + 2, 1e21];
const ODD: unknown[] = [null, true, [], {}, [null], { a: { b: [] } }, ...TEXTS, ...NUMBERS];

/** Chooses one of a list. */
type Choice = <T>(list: readonly T[]) => T;

/** Every place of a value: what holds it, and its name there. */
const placesOf = (value: unknown): [Record<string, unknown>, string][] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, one]) => [[value as Record<string, unknown>, name], ...placesOf(one)]);

/** Gives the ids of an example to those that exist, and its people to those of this test. */
function renamed(value: unknown, pick: Choice): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, pick));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, name === "person_id" ? pick(PEOPLE) : renamed(one, pick)]),
    );
  const prefix = typeof value === "string" ? ID.exec(value)?.[1] : undefined;
  return prefix === undefined ? value : pick(known.get(prefix) ?? [value]);
}

/** Changes a value at one place: it goes, is doubled, gets the value of another place, or an odd one. */
function change(value: unknown, pick: Choice): void {
  const places = placesOf(value);
  if (places.length === 0) return;
  const [holder, name] = pick(places);
  const other = pick(places);
  const kind = pick(["remove", "double", "take", "odd", "odd", "text", "number"] as const);
  if (kind === "remove" && !Array.isArray(holder)) delete holder[name];
  else if (kind === "double" && Array.isArray(holder)) holder.push(structuredClone(holder[Number(name)]));
  else if (kind === "take") holder[name] = structuredClone(other[0][other[1]]);
  else holder[name] = structuredClone(pick<unknown>(kind === "text" ? TEXTS : kind === "number" ? NUMBERS : ODD));
}

/** Fills in the parameters of a path with what is known, or an odd text. */
const filled = ({ path }: Route, pick: Choice): string =>
  path.replaceAll(/\/([^/]+)\/\{([^}]+)\}/g, (_, owner: string, name: string) => {
    const own = owners.get(path.slice(0, path.indexOf(`/{${name}}`))) ?? { delivery_id: "dlv", run_id: "run" }[name];
    const values = name === "person_id" ? PEOPLE : name === "version" ? ["1", "2"] : known.get(own ?? "");
    const value = pick([true, true, true, false]) ? pick(values ?? ["x"]) : pick(TEXTS);
    return `/${owner}/${encodeURIComponent(value.toWellFormed())}`;
  });

const PARTS = ["9".repeat(19), "0001-01-01T00:00:00.000Z", "00000000-0000-8000-8000-000000000000", "", "ada"];

/** Gives a query a cursor as the service writes them, of the parts of any list, and the sort that it is of. */
function forgeCursor(query: URLSearchParams, sorts: string[], pick: Choice): void {
  const sort = pick(["", ...sorts]);
  const parts = [pick(PARTS), pick(PARTS), pick(PARTS)].slice(pick([0, 1, 2]));
  if (sort !== "") query.set("sort", sort);
  const made = JSON.stringify(sort === "" ? parts : [sort, ...parts]);
  query.set("cursor", Buffer.from(made).toString("base64url"));
}

function queryOf({ operation: { parameters = [] } }: Route, pick: Choice): string {
  const query = new URLSearchParams();
  const sorts = parameters.find(({ name }) => name === "sort")?.schema.enum ?? [];
  for (const { name, in: place, schema } of parameters) {
    if (place !== "query" || name === "sort" || pick([true, true, true, true, false])) continue;
    if (name === "cursor") forgeCursor(query, sorts, pick);
    else query.append(name, pick(schema.enum ?? [...PEOPLE, ...TEXTS, ...NUMBERS.map(String)]).toWellFormed());
  }
  return query.size === 0 ? "" : `?${query}`;
}

function bodyOf({ operation }: Route, pick: Choice): unknown {
  const examples = Object.values(operation.requestBody?.content["application/json"]?.examples ?? {});
  if (examples.length === 0) return undefined;
  const body = renamed(pick(examples).value, pick);
  for (let changes = pick([0, 0, 0, 1, 1, 2]); changes > 0; changes--) change(body, pick);
  return body;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "document", ...document });
const pointerPart = (text: string) =>
  text
    .replaceAll("~", "~0")
    .replaceAll("/", "~1")
    .replaceAll(/[{}]/g, (brace) => encodeURIComponent(brace));
const shapeOf = ({ method, path }: Route, status: number) =>
  ajv.compile({
    $ref: `document#/paths/${pointerPart(path)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`,
  });

const succeeded = new Set<string>();

/** Makes a call, and checks its answer. */
async function tried(route: Route, url: string, body: unknown): Promise<void> {
  const answer = await it.call(route.method, url, body === undefined ? {} : { body });
  const said = `${route.method} ${url} ${JSON.stringify(body)} -> ${answer.status} ${JSON.stringify(answer.body)}`;
  expect(answer.status, said).toBeLessThan(500);
  if (answer.status >= 400) {
    expect(answer.headers["content-type"], said).toMatch(/^application\/problem\+json/);
    return;
  }
  succeeded.add(`${route.method} ${route.path}`);
  remember(answer.body, route.path);
  // The steps of a draft may lack fields that the document requires.
  if (!/^application\/json/.test(answer.headers["content-type"] ?? "") || route.path.includes("/campaigns")) return;
  const check = shapeOf(route, answer.status);
  expect(check(answer.body), `${said} ${JSON.stringify(check.errors)}`).toBe(true);
}

test("no input makes a route fail: errors are problems, and answers have the shape of the document", async () => {
  for (const person_id of PEOPLE)
    await it.call("POST", "/data-gateway/v1/identify", { body: { person_id, attributes: { plan: "pro" } } });
  const creating = routes.filter(({ method, path }) => method === "POST" && !path.includes("{"));
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const pick: Choice = (list) => list[g(fc.nat, { max: list.length - 1 })] as never;
      const route = pick(pick([true, true, false]) ? routes : creating);
      await tried(route, filled(route, pick) + queryOf(route, pick), bodyOf(route, pick));
    }),
    { numRuns: 4_000, endOnFailure: true },
  );
  expect(succeeded.size).toBeGreaterThan(150);
}, 120_000);
