import type { Listing } from "@tidings/contract/lists";
import type { KeyScope } from "@tidings/contract/workspaces";
import type { FastifyRequest } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import type { Queries, Tx } from "../db/index.ts";
import type { Ground } from "../ground.ts";
import { type App, notFound, Problem } from "../http/index.ts";
import { decodeId, type Prefix } from "../ids.ts";
import { type Authored, answered, shown, TAGGED, tagOf, UNCHANGED } from "./authored.ts";
import { changing, created, type Origin, removing } from "./changes.ts";
import { creating, earlier, keyOf, replay } from "./idempotency.ts";
import { listRoute } from "./list-route.ts";
import type { ListSource } from "./lists.ts";

/** The part of a change that runs inside its transaction. Slow work is done before. */
export type Write<T> = (tx: Tx, now: Date) => Promise<T>;

/** A write throws this if its rows have changed since it was prepared. It is then prepared and tried again. */
export class Stale extends Error {}
const MOST_TRIES = 10;

interface Summaries {
  list: string;
  create: string;
  read: string;
  change: string;
  remove: string;
}

/** One resource of the product API, see `crud`. `scope` is the tenant, as in idempotency.ts. */
export interface Resource<
  Row extends { id: string },
  Listed extends { id: string },
  Input extends TSchema,
  Patch extends TSchema,
> extends Authored<Row> {
  path: string;
  tag: string;
  prefix: Prefix;
  /** The scope that a narrowed key needs to change one; by default `author`. */
  needs?: KeyScope;
  summaries: Summaries;
  schemas: { input: Input; patch: Patch; one: TSchema; list: Listing };
  scopeOf(request: FastifyRequest): string;
  originOf(request: FastifyRequest): Origin;
  list: ListSource;
  byId(q: Queries, scope: string, id: string): Promise<Row | undefined>;
  create(scope: string, input: Static<Input>, origin: Origin): Write<Row> | Promise<Write<Row>>;
  change(scope: string, id: string, patch: Static<Patch>, origin: Origin): Write<Row> | Promise<Write<Row>>;
  remove(scope: string, id: string): Write<void>;
  /** Returns a row of `list` as the list shows it. */
  summary(row: Listed): object;
}

/** Prepares and writes, and repeats both if another request has written in between. @throws Problem conflict after ten tries */
export async function settled<T, R>(prepare: () => T | Promise<T>, write: (ready: T) => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries++) {
    const ready = await prepare();
    try {
      return await write(ready);
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      if (tries === MOST_TRIES)
        throw new Problem("conflict", "It was being changed by others all the time. Repeat the request.", {
          cause: error,
        });
    }
  }
}

/** What the routes of one resource share. */
interface Mounted<Row extends { id: string }> {
  app: App;
  ground: Ground;
  resource: Resource<Row, never, TSchema, TSchema>;
  idOf: (text: string) => string;
}

const params = Type.Object({ id: Type.String() });
const configOf = ({ needs = "author" }: { needs?: KeyScope }) => ({ needs });
const described = (of: { summaries: Summaries; tag: string }, verb: keyof Summaries) => ({
  summary: of.summaries[verb],
  tags: [of.tag],
});

/**
 * Mounts list, create, read, change and remove of a resource. The creating POST takes an Idempotency-Key.
 * Returns the function that reads an `:id`, for further routes of the resource.
 */
export function crud<
  Row extends { id: string },
  Listed extends { id: string },
  Input extends TSchema,
  Patch extends TSchema,
>(app: App, ground: Ground, resource: Resource<Row, Listed, Input, Patch>): (text: string) => string {
  const { noun, prefix } = resource;

  /** @throws Problem not_found for a text that is no id of this resource, as for an unknown one */
  function idOf(text: string): string {
    const id = decodeId(prefix, text);
    if (!id) throw notFound(noun);
    return id;
  }

  const { path, tag, summaries, schemas, scopeOf } = resource;
  const list = { path, tag, prefix, summary: summaries.list, listing: schemas.list, scopeOf };
  listRoute(app, ground, { ...list, source: resource.list, shape: resource.summary });
  const mounted = { app, ground, resource, idOf };
  createRoute(mounted);
  readRoute(mounted);
  changeRoutes(mounted);
  return idOf;
}

function createRoute<Row extends { id: string }>({ app, ground, resource }: Mounted<Row>): void {
  const { db, clock } = ground;
  const { path, schemas, scopeOf, originOf, shape } = resource;
  const config = configOf(resource);
  app.post(
    path,
    {
      config,
      schema: { ...described(resource, "create"), ...TAGGED, body: schemas.input, response: { 201: schemas.one } },
    },
    async (request, reply) => {
      const scope = scopeOf(request);
      const keyed = keyOf(request, scope);
      const now = clock.now();
      const tag = (body: object) => tagOf(resource, body);
      // A repeat gets its first answer, even if the preparation would now refuse the input.
      const before = keyed && (await earlier(db, keyed, now));
      if (before instanceof Problem) throw before;
      if (before) return replay(reply.header("etag", tag(before.body as object)), before) as never;
      return settled(
        () => resource.create(scope, request.body, originOf(request)),
        (write) =>
          creating(db, { request, reply, scope, now, tagOf: tag }, async (tx) => {
            const row = await write(tx, now);
            await created(tx, resource, originOf(request), { row, now });
            return shape(row);
          }),
      );
    },
  );
}

function readRoute<Row extends { id: string }>({ app, ground, resource, idOf }: Mounted<Row>): void {
  const { db } = ground;
  const { path, noun, schemas, scopeOf } = resource;
  app.get(
    `${path}/:id`,
    { schema: { ...described(resource, "read"), ...TAGGED, params, response: { 200: schemas.one, 304: UNCHANGED } } },
    async (request, reply) => {
      const row = await resource.byId(db, scopeOf(request), idOf(request.params.id));
      if (!row) throw notFound(noun);
      return shown(request, reply, resource, row);
    },
  );
}

function changeRoutes<Row extends { id: string }>({ app, ground, resource, idOf }: Mounted<Row>): void {
  const { db, clock } = ground;
  const { path, schemas, scopeOf, originOf } = resource;
  const config = configOf(resource);
  app.patch(
    `${path}/:id`,
    {
      config,
      schema: {
        ...described(resource, "change"),
        ...TAGGED,
        params,
        body: schemas.patch,
        response: { 200: schemas.one },
      },
    },
    async (request, reply) => {
      const change = { origin: originOf(request), done: "changed", id: idOf(request.params.id), now: clock.now() };
      return settled(
        () => resource.change(scopeOf(request), change.id, request.body, change.origin),
        async (write) =>
          answered(
            reply,
            resource,
            await db.transaction((tx) => changing(tx, resource, change, () => write(tx, change.now))),
          ),
      );
    },
  );

  app.delete(
    `${path}/:id`,
    { config, schema: { ...described(resource, "remove"), ...TAGGED, params, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const change = { origin: originOf(request), id: idOf(request.params.id), now: clock.now() };
      const write = resource.remove(scopeOf(request), change.id);
      await db.transaction((tx) => removing(tx, resource, change, () => write(tx, change.now)));
      return reply.code(204).send(null);
    },
  );
}
