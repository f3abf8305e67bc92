import {
  Destination,
  DestinationInput,
  DestinationList,
  DestinationPatch,
  DestinationState,
  DestinationTested,
} from "@tidings/contract/destinations";
import { Type } from "typebox";
import type { Ground } from "../platform/ground.ts";
import { type App, notFound } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { crud } from "../platform/resources/crud.ts";
import { originOf, workspaceOf } from "../workspaces/index.ts";
import { changeDestination, createDestination, removeDestination } from "./define.ts";
import { FarEndError } from "./far-ends/far-end.ts";
import { farEndOf } from "./far-ends/kinds.ts";
import {
  type DestinationRow,
  destinationById,
  listSource,
  lockDestination,
  type StreamRow,
  streamsOf,
} from "./store.ts";

const PATH = "/export-destinations";
const tag = "export destinations";

/** CRUD of /export-destinations, and their test. */
export function product(app: App, ground: Ground): void {
  const idOf = crud(app, ground, {
    path: PATH,
    tag,
    noun: "export destination",
    prefix: "exd",
    needs: "admin",
    summaries: {
      list: "List export destinations, newest first",
      create: "Add an export destination, to which deliveries, the log and events are streamed out",
      read: "Get an export destination",
      change: "Change, pause or resume an export destination",
      remove: "Remove an export destination; what was sent stays there",
    },
    schemas: { input: DestinationInput, patch: DestinationPatch, one: Destination, list: DestinationList },
    scopeOf: workspaceOf,
    originOf,
    locked: lockDestination,
    list: listSource,
    byId: destinationById,
    create: (workspaceId, input) => (tx) => createDestination(tx, ground, workspaceId, input),
    change: (workspaceId, id, patch) => (tx) => changeDestination(tx, ground, { workspaceId, id }, patch),
    remove: (workspaceId, id) => (tx) => removeDestination(tx, workspaceId, id),
    shape,
    // The log of changes shows that a credential changed, and not what it is.
    secretsOf: ({ credentials }) => ({ credentials }),
    summary: shape,
  });
  stateRoute(app, ground, idOf);
  testRoute(app, ground, idOf);
}

function stateRoute(app: App, { db, clock }: Ground, idOf: (text: string) => string): void {
  app.get(
    `${PATH}/:id/state`,
    {
      schema: {
        summary: "Show how far each table of an export destination is, and why it fails",
        tags: [tag],
        params: Type.Object({ id: Type.String() }),
        response: { 200: DestinationState },
      },
    },
    async (request) => {
      const [scope, id] = [workspaceOf(request), idOf(request.params.id)];
      const row = await destinationById(db, scope, id);
      if (!row) throw notFound("export destination");
      return stateOf(row, await streamsOf(db, scope, id), clock.now());
    },
  );
}

function testRoute(app: App, ground: Ground, idOf: (text: string) => string): void {
  app.post(
    `${PATH}/:id/test`,
    {
      config: { needs: "admin" },
      schema: {
        summary: "Write and delete a test object, or ask ClickHouse for the tables, and show what the far end says",
        tags: [tag],
        params: Type.Object({ id: Type.String() }),
        response: { 200: DestinationTested },
      },
    },
    async (request) => {
      const id = idOf(request.params.id);
      const row = await destinationById(ground.db, workspaceOf(request), id);
      if (!row) throw notFound("export destination");
      const began = performance.now();
      const error = await farEndOf(ground, id, row)
        .test(row.tables)
        .then(
          () => null,
          (fault) => {
            if (!(fault instanceof FarEndError)) throw fault;
            return fault.message;
          },
        );
      return { ok: error === null, error, duration_ms: Math.round(performance.now() - began) };
    },
  );
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** The age in seconds, with one decimal. */
const ageOf = (date: Date | null, now: Date): number | null =>
  date && Math.max(0, Math.round((now.getTime() - date.getTime()) / 100) / 10);

const streamOf = (row: StreamRow, now: Date) => ({
  table: row.table_name,
  phase: row.old ? ("old" as const) : ("log" as const),
  lag_seconds: row.old ? null : ageOf(row.sent_until, now),
  rows_sent: row.rows_sent,
  batches_sent: row.batches_sent,
  last_sent_at: iso(row.last_sent_at),
  failing_since: iso(row.failing_since),
  last_error: row.last_error,
  gap: row.gap_from && row.gap_until ? { from: row.gap_from.toISOString(), until: row.gap_until.toISOString() } : null,
});

function stateOf({ enabled }: DestinationRow, rows: StreamRow[], now: Date) {
  const streams = rows.map((row) => streamOf(row, now));
  const failing = streams.some(({ failing_since }) => failing_since !== null);
  const lags = streams.map(({ lag_seconds }) => lag_seconds).filter((lag) => lag !== null);
  return {
    status: enabled ? (failing ? ("failing" as const) : ("ok" as const)) : ("paused" as const),
    lag_seconds: lags.length === streams.length ? Math.max(...lags) : null,
    streams,
  };
}

const shape = (row: DestinationRow) => ({
  id: encodeId("exd", row.id),
  name: row.name,
  kind: row.kind,
  settings: row.settings,
  credentials_changed_at: iso(row.credentials_changed_at),
  tables: row.tables,
  interval_seconds: row.interval_seconds,
  enabled: row.enabled,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
