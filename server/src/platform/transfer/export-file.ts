import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import type { Queries, Statement } from "../db/index.ts";
import type { Ground } from "../ground.ts";
import { holdTurn } from "../limits/hold-turn.ts";
import { inPieces } from "../turns.ts";

const TYPES = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" };
/**
 * After each page the export pauses for as long as the page took, but no longer than this. So a filter of 199 conditions leaves at
 * least half of a processor to others.
 */
const LONGEST_PAUSE_MS = 1_000;

/** A file that a route answers with. */
export interface ExportFile {
  /** The name that the client saves it under. Its ending decides the content type. */
  name: `${string}.${keyof typeof TYPES}`;
  /** Makes the text, one page at a time. Each page is a statement of its own, which begins after the last row of the previous page. */
  pages(q: Queries): AsyncIterable<string>;
}

/**
 * Sends a file while its pages are made, no faster than the client reads. The pages are read on the connections of exports, in the
 * workspace's turn, from the read replica if there is one; between two pages no connection is held. When the client disconnects or stops reading, `pages` ends at its next
 * yield. @throws Problem busy if the workspace already makes as many files as it may
 */
export async function sendFile(
  ground: Pick<Ground, "shares" | "lagging">,
  reply: FastifyReply,
  workspaceId: string,
  { name, pages }: ExportFile,
): Promise<FastifyReply> {
  const leave = await holdTurn(ground.shares.exports, workspaceId, reply);
  return reply
    .type(TYPES[name.slice(name.lastIndexOf(".") + 1) as keyof typeof TYPES])
    .header("content-disposition", `attachment; filename="${name}"`)
    .header("cache-control", "no-store")
    .send(Readable.from(leavingAtEnd(pages(inExportTurns({ ...ground, ...ground.lagging }, workspaceId)), leave)));
}

async function* leavingAtEnd(pages: AsyncIterable<string>, leave: () => void): AsyncGenerator<string> {
  try {
    for await (const page of pages) yield* inPieces(page);
  } finally {
    leave();
  }
}

/** Returns queries on the connections of exports. Each statement waits for the workspace's turn, and a pause follows it. */
export function inExportTurns({ shares, exportDb }: Pick<Ground, "shares" | "exportDb">, workspaceId: string): Queries {
  const inTurn = <T>(run: () => Promise<T>): Promise<T> =>
    shares.pages.run(workspaceId, async () => {
      const began = performance.now();
      const result = await run();
      await sleep(Math.min(LONGEST_PAUSE_MS, performance.now() - began));
      return result;
    });
  return {
    distributed: exportDb.distributed,
    query: <R>(statement: Statement) => inTurn(() => exportDb.query<R>(statement)),
    execute: (statement) => inTurn(() => exportDb.execute(statement)),
  };
}
