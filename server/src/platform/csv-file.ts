import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/**
 * Answers with a CSV file, line by line as they are made and no faster than the client reads. Where the client goes away, `lines` ends
 * at its next yield, and asks the database nothing more.
 */
export const csvFile = (reply: FastifyReply, name: string, lines: AsyncIterable<string>): FastifyReply =>
  reply
    .type("text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="${name}.csv"`)
    .header("cache-control", "no-store")
    .send(Readable.from(lines));
