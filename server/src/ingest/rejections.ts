import type { FastifyError, FastifyRequest } from "fastify";
import { Counter } from "prom-client";
import { personKey } from "../people/index.ts";
import { isRefusal } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import type { CatalogGround } from "../catalog/index.ts";
import type { ConnectedGround } from "../workspaces/index.ts";
import { type App, type FieldError, Problem, toProblem } from "../platform/http/index.ts";
import { newId } from "../platform/ids.ts";
import { excerpt } from "./excerpt.ts";
import type { Outcome } from "./ingest.ts";
import { addCounts, insertRejected, type RejectedCount, type RejectedRow } from "./rejections-store.ts";

// The log of the data that ingestion refused. Nobody reads the answers that an installed application gets, so its workspace can read them
// here. A successful call runs none of this, and none of it can change an answer: it is kept in memory and written later.

/** The most rows that a process keeps for a workspace in a minute, in all and with one code: a client that always fails must not hide another one. */
const MOST_A_MINUTE = 100;
const MOST_OF_A_CODE = 20;
/** The most rows in memory while the database is away. */
const MOST_WAITING = 2_000;
const FLUSH_MS = 250;
const HOUR_MS = 3_600_000;

/** Data that was refused, or left out without an error. */
export interface RefusedData {
  code: string;
  reason: string;
  errors?: FieldError[] | undefined;
  data?: unknown;
  /** Its index in a batch. */
  item?: number | undefined;
}

/** The ground with the log of refused data, and with the notes for the catalog: one in a process. */
export interface IngestGround extends ConnectedGround, CatalogGround {
  rejections: Rejections;
}

/** The log of refused data. */
export interface Rejections {
  /** Logs every call of this scope's routes that gets a 4xx. Routes must be added to the scope after this. */
  watch(scope: App): void;
  /** Logs refused data. */
  note(request: FastifyRequest, refused: RefusedData): void;
  /** Logs data that was left out although the call succeeded: an event of an erased person, a screen with an odd name. */
  outcome(request: FastifyRequest, outcome: Outcome, data: unknown, item?: number): void;
  /** Logs a Problem about `data`. */
  refuse(request: FastifyRequest, problem: Problem, data: unknown, item?: number): void;
  /** Writes what is still in memory. */
  flush(): Promise<void>;
}

/** Creates the log of refused data. */
export function rejections(ground: Ground): Rejections {
  const counter = new Counter({
    name: "tidings_ingestion_rejected_total",
    help: "Data that ingestion refused or left out, by code",
    labelNames: ["code"] as const,
    registers: [ground.metrics.registry],
  });
  const { add, flush } = writer(ground);
  const mayKeep = minuteLimit();

  const note = (request: FastifyRequest, { code, reason, errors = [], data, item }: RefusedData): void => {
    const { workspace } = request.caller;
    const at = ground.clock.now();
    counter.inc({ code });
    const route = `${request.method} ${request.routeOptions.url}`;
    const kept = mayKeep(workspace.id, code, at);
    const personId = kept ? personOf(data, request.params) : null;
    add(
      { workspace_id: workspace.id, route, code, at },
      kept
        ? {
            workspace_id: workspace.id,
            id: newId(),
            at,
            route,
            item: item ?? null,
            request_id: request.id,
            person_key: personId === null ? null : personKey(workspace.id, personId),
            person_id: personId,
            code,
            reason: clean(reason),
            errors: errors.map((error) => ({ ...error, message: clean(error.message) })),
            data: data === undefined ? null : excerpt(data),
          }
        : undefined,
    );
  };
  const refuse = (request: FastifyRequest, problem: Problem, data: unknown, item?: number): void =>
    note(request, { code: problem.code, reason: problem.message, errors: problem.options.errors, data, item });

  return {
    note,
    refuse,
    flush,
    outcome(request, outcome, data, item) {
      const { screen, leftOut } = outcome as Partial<Exclude<Outcome, { created: boolean }>>;
      if (screen?.accepted === false)
        note(request, { code: "screen_name", reason: SCREENS[screen.reason ?? "technical_name"], data, item });
      else if (leftOut)
        note(request, {
          code: leftOut,
          reason: "This person was erased. Nothing about the person is stored.",
          data,
          item,
        });
    },
    watch(scope) {
      scope.setErrorHandler((error, request) => {
        const status = error instanceof Problem ? error.status : ((error as FastifyError).statusCode ?? 500);
        // Without a caller nobody knows whose data it was. A call with a 5xx was not refused: the client sends it again.
        if (request.caller && status < 500)
          refuse(request, toProblem(error as FastifyError | Problem, ground.log, request), request.body ?? undefined);
        throw error;
      });
    },
  };
}

type Counted = Pick<RejectedCount, "workspace_id" | "route" | "code"> & { at: Date };

/** Collects rows, and writes all of them at once a moment later. */
function writer({ workDb, log }: Ground) {
  let rows: RejectedRow[] = [];
  let counts = new Map<string, RejectedCount>();
  let timer: NodeJS.Timeout | undefined;

  function count(key: string, row: RejectedCount): void {
    const before = counts.get(key);
    if (!before) counts.set(key, row);
    else {
      before.rejected += row.rejected;
      before.not_kept += row.not_kept;
      if (row.last_at > before.last_at) before.last_at = row.last_at;
    }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size === 0) return;
    const [writtenRows, writtenCounts] = [rows, counts];
    [rows, counts] = [[], new Map()];
    const sorted = [...writtenCounts].sort(([a], [b]) => (a < b ? -1 : 1));
    try {
      await workDb.transaction(async (tx) => {
        await addCounts(
          tx,
          sorted.map(([, row]) => row),
        );
        await insertRejected(tx, writtenRows);
      });
    } catch (error) {
      log.warn({ err: String(error) }, "could not write the log of refused data");
      if (isRefusal(error)) return;
      // The database is away: these rows wait for the next flush.
      rows = [...writtenRows, ...rows].slice(-MOST_WAITING);
      for (const [key, row] of sorted) count(key, row);
      schedule();
    }
  }

  const schedule = () => {
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  };

  return {
    flush,
    add({ workspace_id, route, code, at }: Counted, row: RejectedRow | undefined): void {
      const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
      const kept = row !== undefined && rows.length < MOST_WAITING;
      if (kept) rows.push(row);
      const key = `${workspace_id} ${hour.toISOString()} ${route} ${code}`;
      count(key, { workspace_id, hour, route, code, rejected: 1, not_kept: kept ? 0 : 1, last_at: at });
      schedule();
    },
  };
}

const SCREENS = {
  empty: "The name of the screen is empty or is not a text.",
  too_long: "The name of the screen is over 200 characters.",
  too_many:
    "The workspace has 10,000 screens. Each name with an id or a date in it makes one more; report the name of the page instead.",
  technical_name: "The name of the screen is the text of an object, a class or an id, so it is surely a mistake.",
};

/** Returns the function that says whether one more row of this workspace and code may be kept in this minute. */
function minuteLimit(): (workspaceId: string, code: string, at: Date) => boolean {
  let minute = 0;
  const kept = new Map<string, number>();
  const one = (key: string) => kept.set(key, (kept.get(key) ?? 0) + 1);
  return (workspaceId, code, at) => {
    const now = Math.floor(at.getTime() / 60_000);
    if (now !== minute) kept.clear();
    minute = now;
    const ofCode = `${workspaceId} ${code}`;
    if ((kept.get(workspaceId) ?? 0) >= MOST_A_MINUTE || (kept.get(ofCode) ?? 0) >= MOST_OF_A_CODE) return false;
    one(workspaceId);
    one(ofCode);
    return true;
  };
}

/** Returns the person whom the data names: in a field of Tidings, in a field of another client, or in the address. */
function personOf(data: unknown, params: unknown): string | null {
  const body = (data ?? {}) as { person_id?: unknown; userId?: unknown; identifiers?: { id?: unknown } | null };
  const id = body.person_id ?? body.userId ?? body.identifiers?.id ?? (params as { id?: unknown } | null)?.id;
  const text = typeof id === "number" ? String(id) : id;
  return typeof text === "string" && /^[^\p{Cc}\p{Cs}]{1,256}$/u.test(text) ? text : null;
}

/** Makes a text storable: reasons may quote data of a client. */
const clean = (text: string): string => text.slice(0, 500).toWellFormed().replaceAll("\0", "");
