import type { Listing } from "@tidings/contract/lists";
import type { FastifyRequest } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import type { Queries, Tx } from "../db/index.ts";
import type { Ground } from "../ground.ts";
import { type App, notFound, Problem } from "../http/index.ts";
import { decodeId, type Prefix } from "../ids.ts";
import { creating, earlier, keyOf, replay } from "./idempotency.ts";
import { listRoute } from "./list-route.ts";
import type { ListSource } from "./lists.ts";

/** The part of a change that runs inside its transaction. Slow work is done before. */
export type Write<T> = (tx: Tx, now: Date) => Promise<T>;

/** A write throws this if its rows have changed since it was prepared. It is then prepared and tried again. */
export class Stale extends Error {}
const MOST_TRIES = 10;

/** One resource of the product API, see `crud`. `scope` is the tenant, as in idempotency.ts. */
export interface Resource<
  Row extends { id: string },
  Listed extends { id: string },
  Input extends TSchema,
  Patch extends TSchema,
> {
  path: string;
  tag: string;
  /** The name of one, for the error text: "There is no such transactional". */
  noun: string;
  prefix: Prefix;
  summaries: { list: string; create: string; read: string; change: string; remove: string };
  schemas: { input: Input; patch: Patch; one: TSchema; list: Listing };
  scopeOf(request: FastifyRequest): string;
  list: ListSource;
  byId(q: Queries, scope: string, id: string): Promise<Row | undefined>;
  create(scope: string, input: Static<Input>): Write<Row> | Promise<Write<Row>>;
  change(scope: string, id: string, patch: Static<Patch>): Write<Row> | Promise<Write<Row>>;
  remove(scope: string, id: string): Write<void>;
  shape(row: Row): object;
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
  const { db, clock } = ground;
  const { path, noun, schemas, summaries, scopeOf, shape, summary } = resource;
  const one = `${path}/:id`;
  const params = Type.Object({ id: Type.String() });
  const tags = [resource.tag];
  const described = (verb: keyof typeof summaries) => ({ summary: summaries[verb], tags });

  /** @throws Problem not_found for a text that is no id of this resource, as for an unknown one */
  function idOf(text: string): string {
    const id = decodeId(resource.prefix, text);
    if (!id) throw notFound(noun);
    return id;
  }

  listRoute(app, ground, {
    path,
    tag: resource.tag,
    summary: summaries.list,
    prefix: resource.prefix,
    listing: schemas.list,
    source: resource.list,
    scopeOf,
    shape: summary,
  });

  app.post(
    path,
    {
      config: { needs: "author" },
      schema: { ...described("create"), body: schemas.input, response: { 201: schemas.one } },
    },
    async (request, reply) => {
      const scope = scopeOf(request);
      const keyed = keyOf(request, scope);
      const now = clock.now();
      // A repeat gets its first answer, even if the preparation would now refuse the input.
      const before = keyed && (await earlier(db, keyed, now));
      if (before instanceof Problem) throw before;
      if (before) return replay(reply, before) as never;
      return settled(
        () => resource.create(scope, request.body as Static<Input>),
        (write) => creating(db, { request, reply, scope, now }, async (tx) => shape(await write(tx, now))),
      );
    },
  );

  app.get(one, { schema: { ...described("read"), params, response: { 200: schemas.one } } }, async (request) => {
    const row = await resource.byId(db, scopeOf(request), idOf(request.params.id));
    if (!row) throw notFound(noun);
    return shape(row);
  });

  app.patch(
    one,
    {
      config: { needs: "author" },
      schema: { ...described("change"), params, body: schemas.patch, response: { 200: schemas.one } },
    },
    async (request) => {
      const id = idOf(request.params.id);
      return settled(
        () => resource.change(scopeOf(request), id, request.body as Static<Patch>),
        (write) => db.transaction(async (tx) => shape(await write(tx, clock.now()))),
      );
    },
  );

  app.delete(
    one,
    { config: { needs: "author" }, schema: { ...described("remove"), params, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const write = resource.remove(scopeOf(request), idOf(request.params.id));
      await db.transaction((tx) => write(tx, clock.now()));
      return reply.code(204).send(null);
    },
  );
  return idOf;
}
