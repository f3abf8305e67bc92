import type { ServerResponse } from "node:http";
import { Stream } from "node:stream";

/** The operating system buffers an answer up to this size at once, whether or not the client reads it. */
const SMALL = 64 * 1024;

/**
 * Closes the connection of a client that takes nothing of its answer for `ms`: until then an export would keep its place, and a long
 * list its memory. A client that reads slowly is left alone.
 */
export function cutWhereStalled(response: ServerResponse, body: unknown, ms: number): void {
  const big = body instanceof Stream || ((typeof body === "string" || Buffer.isBuffer(body)) && body.length > SMALL);
  if (!big) return;
  response.setTimeout(ms, () => {
    // With nothing to write, it is this process that has no further data yet.
    if (response.writableLength > 0) response.destroy();
  });
}
