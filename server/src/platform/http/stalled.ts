import type { ServerResponse } from "node:http";
import { Stream } from "node:stream";

/** What the system takes over at once, whether the client reads it or not. */
const SMALL = 64 * 1024;

/**
 * Cuts the connection of a client that takes nothing of its answer for `ms`: an export would keep its place for as long, and a long
 * list its memory. One that reads slowly is left alone.
 */
export function cutWhereStalled(response: ServerResponse, body: unknown, ms: number): void {
  const big = body instanceof Stream || ((typeof body === "string" || Buffer.isBuffer(body)) && body.length > SMALL);
  if (!big) return;
  response.setTimeout(ms, () => {
    // Otherwise it is we who have nothing to say yet.
    if (response.writableLength > 0) response.destroy();
  });
}
