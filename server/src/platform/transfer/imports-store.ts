import type { Import } from "@tidings/contract/imports";
import { empty, type Queries, sql } from "../db/index.ts";

/** The progress of an import. */
export interface Progress {
  bytes_read: number;
  rows: number;
  added: number;
  known: number;
  refused: number;
  errors: { line: number; message: string }[];
}

export interface ImportRow extends Progress {
  id: string;
  kind: Import["kind"];
  target: string | null;
  status: Import["status"];
  bytes: number;
  reason: string | null;
  started_at: Date;
  finished_at: Date | null;
}

/** A process that reads a file updates `beat_at` every 10 s. After a minute without an update the process is gone. */
const STATUS = sql`case when status = 'running' and beat_at < now() - interval '1 minute' then 'cut_off' else status end`;
const COLUMNS = sql`id, kind, target, ${STATUS} as status, bytes, bytes_read, rows, added, known, refused, errors, reason,
  started_at, finished_at`;

export const insertImport = (
  q: Queries,
  row: { scope: string; id: string; kind: string; target: string | null; bytes: number },
  now: Date,
): Promise<number> =>
  q.execute(sql`
    insert into imports (workspace_id, id, kind, target, status, bytes, started_at)
    values (${row.scope}, ${row.id}, ${row.kind}, ${row.target}, 'running', ${row.bytes}, ${now})`);

export const moveImport = (q: Queries, scope: string, id: string, at: Progress): Promise<number> =>
  q.execute(sql`
    update imports set bytes_read = ${at.bytes_read}, rows = ${at.rows}, added = ${at.added}, known = ${at.known},
      refused = ${at.refused}, errors = ${JSON.stringify(at.errors)}::jsonb, beat_at = now()
    where workspace_id = ${scope} and id = ${id}`);

export const beat = (q: Queries, scope: string, id: string): Promise<number> =>
  q.execute(
    sql`update imports set beat_at = now() where workspace_id = ${scope} and id = ${id} and status = 'running'`,
  );

export const endImport = (
  q: Queries,
  { scope, id }: { scope: string; id: string },
  { status, reason }: Pick<ImportRow, "status" | "reason">,
  now: Date,
): Promise<number> =>
  q.execute(sql`
    update imports set status = ${status}, reason = ${reason}, finished_at = ${now}
    where workspace_id = ${scope} and id = ${id}`);

export async function importById(q: Queries, scope: string, id: string): Promise<ImportRow | undefined> {
  return (
    await q.query<ImportRow>(sql`select ${COLUMNS} from imports where workspace_id = ${scope} and id = ${id}`)
  )[0];
}

/** Returns the imports of a workspace that match the filter, newest first. */
export const importsOf = (
  q: Queries,
  scope: string,
  { kind, target, status }: { kind?: string; target?: string; status?: string },
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ImportRow[]> =>
  q.query(sql`
    select ${COLUMNS} from imports where workspace_id = ${scope}
      ${before === undefined ? empty : sql`and id < ${before}::uuid`} ${kind === undefined ? empty : sql`and kind = ${kind}`}
      ${target === undefined ? empty : sql`and target = ${target}`}
      ${status === undefined ? empty : sql`and ${STATUS} = ${status}`}
    order by id desc limit ${limit}`);

export const forgetImports = (q: Queries, before: Date): Promise<number> =>
  q.execute(sql`delete from imports where started_at < ${before}`);
