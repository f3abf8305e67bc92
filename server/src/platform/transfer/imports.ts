import type { Import } from "@tidings/contract/imports";
import type { Tx } from "../db/index.ts";
import type { Ground } from "../ground.ts";
import { Problem } from "../http/index.ts";
import { encodeId, newId } from "../ids.ts";
import { inBatchTurns } from "../limits/shares.ts";
import { type Origin, recordChange } from "../resources/changes.ts";
import { progressed } from "../resources/progress.ts";
import { nextTurn, turnIsOver } from "../turns.ts";
import { BrokenCsv, type CsvRecord, csvRecords, plainCell } from "./csv.ts";
import { beat, endImport, insertImport, moveImport, type Progress } from "./imports-store.ts";
import type { Upload } from "./upload.ts";

// A CSV file is imported in batches of lines, so a file of any length takes the memory of one batch. The progress is written in the
// transaction that writes the lines: after a crash, the import reports exactly the lines that were taken.

/** Lines of one transaction. Committed lines stay when a later part of the file is broken. The same file can be sent again. */
const BATCH = 1_000;
const MOST_ERRORS = 100;
const BEAT_MS = 10_000;

/** Where the lines of a file go. */
export interface Destination<Columns, Entry> {
  /** The workspace. */
  scope: string;
  kind: Import["kind"];
  target: string | null;
  /** Finds the columns by the names in the first line. @throws Problem invalid_request if they can't be read */
  columnsOf(names: string[]): Columns;
  /** Returns an entry, or a sentence about what is wrong with the line. */
  read(columns: Columns, cells: string[], now: Date): Entry | string;
  /** Returns how many entries are new, and a sentence for each refused one, by its index in `entries`. */
  write(tx: Tx, entries: Entry[], now: Date): Promise<{ added: number; refused: Map<number, string> }>;
}

/** An import that runs. */
export interface Running {
  id: string;
  /** Settles when the import ends. It rejects with a Problem if the file could not be read at all, or if the process stops. */
  finished: Promise<void>;
}

/** Starts to import an upload, and removes the upload at the end. `stop` ends the import between two batches. */
export async function startImport<Columns, Entry>(
  ground: Ground,
  destination: Destination<Columns, Entry>,
  { upload, stop, origin }: { upload: Upload; stop: AbortSignal; origin: Origin },
): Promise<Running> {
  const { workDb, clock } = ground;
  const { scope, kind, target } = destination;
  const id = newId();
  const end = (status: "done" | "failed" | "cut_off", reason: string | null) =>
    workDb.transaction(async (tx) => {
      await endImport(tx, { scope, id }, { status, reason }, clock.now());
      progressed(tx, scope, encodeId("imp", id));
    });
  try {
    const now = clock.now();
    await workDb.transaction(async (tx) => {
      await insertImport(tx, { scope, id, kind, target, bytes: upload.size }, now);
      const resource = { type: "import", id: encodeId("imp", id), name: kind };
      const changes = target === null ? [] : [{ field: "/target", to: target }];
      await recordChange(tx, origin, { action: "import.started", resource, changes, now });
    });
  } catch (error) {
    await upload.remove();
    throw error;
  }
  const beating = setInterval(() => void beat(workDb, scope, id).catch(() => undefined), BEAT_MS).unref();

  async function run(): Promise<void> {
    try {
      await readInto(ground, destination, { id, upload, stop });
      await end("done", null);
    } catch (error) {
      const problem = error instanceof Problem ? error : undefined;
      const status = stop.aborted ? "cut_off" : "failed";
      // Without a database this fails, too. After a minute without a beat the import counts as cut off.
      await end(status, problem?.message ?? "Something went wrong on our side.").catch(() => undefined);
      throw error;
    } finally {
      clearInterval(beating);
      await upload.remove();
    }
  }
  return { id, finished: run() };
}

async function readInto<Columns, Entry>(
  ground: Ground,
  destination: Destination<Columns, Entry>,
  { id, upload, stop }: { id: string; upload: Upload; stop: AbortSignal },
): Promise<void> {
  const { clock } = ground;
  const db = inBatchTurns(ground, destination.scope);
  let at: Progress = { bytes_read: 0, rows: 0, added: 0, known: 0, refused: 0, errors: [] };
  let read = 0;
  let lines: { line: number; entry: Entry | string }[] = [];

  async function flush(): Promise<void> {
    if (stop.aborted)
      throw new Problem(
        "unavailable",
        `The service is stopping. ${at.rows} lines were read and stay. Send the file again.`,
        { headers: { "retry-after": "5" } },
      );
    const taken = lines.filter((one): one is { line: number; entry: Entry } => typeof one.entry !== "string");
    const bad = lines.filter((one): one is { line: number; entry: string } => typeof one.entry === "string");
    const refusals = bad.map(({ line, entry }) => ({ line, message: entry }));
    at = await db.transaction(async (tx) => {
      const entries = taken.map(({ entry }) => entry);
      const { added, refused } = await destination.write(tx, entries, clock.now());
      for (const [place, message] of refused) refusals.push({ line: taken[place]?.line ?? 0, message });
      refusals.sort((a, b) => a.line - b.line);
      const after: Progress = {
        bytes_read: read,
        rows: at.rows + lines.length,
        added: at.added + added,
        known: at.known + taken.length - refused.size - added,
        refused: at.refused + refusals.length,
        errors: [...at.errors, ...refusals].slice(0, MOST_ERRORS),
      };
      await moveImport(tx, destination.scope, id, after);
      progressed(tx, destination.scope, encodeId("imp", id));
      return after;
    });
    lines = [];
  }

  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of upload.bytes()) {
      read += chunk.length;
      yield chunk;
    }
  }

  let columns: Columns | undefined;
  try {
    for await (const { line, fields } of csvRecords(counted())) {
      // To read 1,000 phone numbers takes 50 ms.
      while (turnIsOver()) await nextTurn();
      if (columns === undefined) columns = destination.columnsOf(namesIn(fields));
      else if (lines.push({ line, entry: destination.read(columns, fields.map(plainCell), clock.now()) }) === BATCH)
        await flush();
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    if (columns === undefined)
      throw new Problem("invalid_request", `Line ${error.line} ${error.message}. Save the file as CSV in UTF-8.`);
    lines.push({
      line: error.line,
      entry: `${error.message}: nothing after it was read. The file must be CSV in UTF-8.`,
    });
  }
  if (columns === undefined) destination.columnsOf([]);
  await flush();
}

const namesIn = (fields: CsvRecord["fields"]): string[] => fields.map((name) => name.trim().toLowerCase());
