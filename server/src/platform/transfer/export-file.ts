import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import type { Queries, Statement } from "../db/index.ts";
import type { Ground } from "../ground.ts";
import { holdTurn } from "../limits/hold-turn.ts";
import { inPieces } from "../turns.ts";

const TYPES = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" };
/** After a page its connection rests for as long as the page took, so that a filter of 199 conditions leaves the processor to others. */
const LONGEST_REST_MS = 1_000;

/** A file to answer with. */
export interface ExportFile {
  /** With its ending, which says what it is. */
  name: `${string}.${keyof typeof TYPES}`;
  /** Makes its text, a page at a time: each page is a statement of its own, behind the last row of the page before. */
  pages(q: Queries): AsyncIterable<string>;
}

/**
 * Answers with a file as its pages are made, and no faster than the client reads. The pages are read by connections of their own and in
 * the workspace's turn; between two of them none is held. Where the client goes away, or reads nothing, `pages` ends at its next
 * yield. @throws Problem busy
 */
export async function sendFile(
  ground: Pick<Ground, "shares" | "exportDb">,
  reply: FastifyReply,
  workspaceId: string,
  { name, pages }: ExportFile,
): Promise<FastifyReply> {
  const leave = await holdTurn(ground.shares.exports, workspaceId, reply);
  return reply
    .type(TYPES[name.slice(name.lastIndexOf(".") + 1) as keyof typeof TYPES])
    .header("content-disposition", `attachment; filename="${name}"`)
    .header("cache-control", "no-store")
    .send(Readable.from(untilEnd(pages(inExportTurns(ground, workspaceId)), leave)));
}

async function* untilEnd(pages: AsyncIterable<string>, leave: () => void): AsyncGenerator<string> {
  try {
    for await (const page of pages) yield* inPieces(page);
  } finally {
    leave();
  }
}

/** Returns queries on the connections of exports: each statement waits for the workspace's turn, and a rest follows it. */
export function inExportTurns({ shares, exportDb }: Pick<Ground, "shares" | "exportDb">, workspaceId: string): Queries {
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> =>
    shares.pages.run(workspaceId, async () => {
      const began = performance.now();
      const answer = await ask();
      await sleep(Math.min(LONGEST_REST_MS, performance.now() - began));
      return answer;
    });
  return {
    query: <R>(statement: Statement) => inTurn(() => exportDb.query<R>(statement)),
    execute: (statement) => inTurn(() => exportDb.execute(statement)),
  };
}
