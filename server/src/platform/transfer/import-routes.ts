import { Readable } from "node:stream";
import { Import, ImportList, ImportQuery } from "@tidings/contract/imports";
import type { FastifyContextConfig, FastifyRequest } from "fastify";
import { type TSchema, Type } from "typebox";
import type { Queries } from "../db/index.ts";
import type { Ground } from "../ground.ts";
import { type App, decodeCursor, notFound, Problem, page } from "../http/index.ts";
import { decodeId, encodeId } from "../ids.ts";
import type { Origin } from "../resources/changes.ts";
import { inListTurns } from "../resources/interactive.ts";
import { type Destination, type Running, startImport } from "./imports.ts";
import { type ImportRow, importById, importsOf } from "./imports-store.ts";
import { received } from "./upload.ts";

declare module "../ids.ts" {
  interface Prefixes {
    imp: true;
  }
}

/** A route that takes a CSV file. */
export interface ImportRoute<Columns, Entry> {
  path: string;
  summary: string;
  tag: string;
  /** The permissions that a caller needs. */
  config: FastifyContextConfig;
  params?: TSchema;
  /** The most bytes of a file. */
  most: number;
  /** The tenant of a request, and who makes it. */
  originOf(request: FastifyRequest): Origin;
  /** Returns where the lines go. It is called before the file is read. @throws Problem */
  destinationOf(request: FastifyRequest): Promise<Destination<Columns, Entry>>;
}

/**
 * Mounts a route that takes a CSV file and answers once the file is imported. With `Prefer: respond-async` it answers 202 as soon as
 * the file has arrived, with the address of the import. In both cases /imports shows the progress. The route has a Fastify scope of
 * its own, because only this route takes CSV, and takes it as a stream.
 */
export function importRoute<Columns, Entry>(app: App, ground: Ground, route: ImportRoute<Columns, Entry>): void {
  const { path, summary, tag, config, params, most, originOf, destinationOf } = route;
  app.register(async (scope: App) => {
    const stop = new AbortController();
    const running = new Set<Promise<void>>();
    scope.addHook("preClose", async () => stop.abort());
    scope.addHook("onClose", async () => void (await Promise.allSettled(running)));
    scope.addContentTypeParser(/^text\/csv(?:;|$)/, (_request, payload, done) => done(null, payload));
    async function begin(request: FastifyRequest, destination: Destination<Columns, Entry>): Promise<Running> {
      const leave = await ground.shares.imports.enter(originOf(request).scope);
      try {
        const upload = await received(csvOf(request), most);
        const begun = await startImport(ground, destination, { upload, stop: stop.signal, origin: originOf(request) });
        void begun.finished.catch(() => undefined).finally(leave);
        return begun;
      } catch (error) {
        leave();
        throw error;
      }
    }
    scope.post(
      path,
      {
        config,
        bodyLimit: most,
        schema: {
          summary,
          tags: [tag],
          headers: Type.Object({
            prefer: Type.Optional(Type.String({ description: "`respond-async`: 202 once the file has arrived." })),
          }),
          ...(params && { params }),
          response: { 200: Import, 202: Import },
        },
      },
      async (request, reply) => {
        const destination = await destinationOf(request);
        const { id, finished } = await begin(request, destination);
        const async = /\brespond-async\b/.test(String(request.headers.prefer ?? ""));
        const settled = finished.catch((error: unknown) => {
          if (async && !(error instanceof Problem)) ground.log.error({ import: id, err: error }, "an import failed");
        });
        running.add(settled);
        void settled.then(() => running.delete(settled));
        if (!async) await finished;
        const row = await importById(ground.db, destination.scope, id);
        if (async)
          reply
            .code(202)
            .headers({ location: `/api/v1/imports/${encodeId("imp", id)}`, "preference-applied": "respond-async" });
        return shape(row as ImportRow);
      },
    );
  });
}

/** @throws Problem unsupported_media_type */
function csvOf({ body, headers }: FastifyRequest): Readable {
  if (!(body instanceof Readable))
    throw new Problem("unsupported_media_type", "Send the file itself, with Content-Type: text/csv.");
  if (/charset=(?!"?utf-?8"?)/i.test(headers["content-type"] ?? ""))
    throw new Problem("unsupported_media_type", "Save the file in UTF-8 and send it as text/csv; charset=utf-8.");
  return body;
}

/** Mounts GET /imports and /imports/:id, which show the progress of imports. */
export function importList(app: App, ground: Ground, scopeOf: (request: FastifyRequest) => string): void {
  const { db } = ground;
  const tags = ["imports"];
  app.get(
    "/imports",
    {
      schema: {
        summary: "List imports, under way and finished, newest first",
        tags,
        querystring: ImportQuery,
        response: { 200: ImportList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, ...filter } = request.query;
      const before = decodeCursor(cursor, "uuid")?.[0];
      const scope = scopeOf(request);
      return page(
        await importsOf(inListTurns(ground, scope), scope, filter, { before, limit: limit + 1 }),
        limit,
        ({ id }) => [id],
        (row) => shape(row),
      );
    },
  );

  app.get(
    "/imports/:id",
    {
      schema: {
        summary: "Show the progress of an import",
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 200: Import },
      },
    },
    async (request) => {
      const id = decodeId("imp", request.params.id);
      const row = id && (await importById(db, scopeOf(request), id));
      if (!row) throw notFound("import");
      return shape(row);
    },
  );
}

/** Returns how far an import is, by its id on the wire. */
export async function importProgress(q: Queries, scope: string, text: string) {
  const id = decodeId("imp", text);
  const row = id && (await importById(q, scope, id));
  return row ? progressOf(row) : undefined;
}

/** Lists the imports that run, the newest 20. */
export async function runningImports(q: Queries, scope: string) {
  const rows = await importsOf(q, scope, { status: "running" }, { before: undefined, limit: 20 });
  return rows.map((row) => ({
    ...progressOf(row),
    name: row.kind,
    target: row.target,
    started_at: row.started_at.toISOString(),
  }));
}

const progressOf = ({ id, status, bytes, bytes_read, rows, added, known, refused }: ImportRow) => ({
  type: "imports" as const,
  id: encodeId("imp", id),
  status,
  progress: { bytes, bytes_read, rows, added, known, refused },
});

const SILENT = "The process that read the file is gone. The lines that were read stay. Send the file again.";

const shape = (row: ImportRow) => ({
  ...row,
  id: encodeId("imp", row.id),
  reason: row.reason ?? (row.status === "cut_off" ? SILENT : null),
  started_at: row.started_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});
