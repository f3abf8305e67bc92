import type { FastifyReply, FastifyRequest, RequestPayload } from "fastify";
import type { FairShare } from "./fair-share.ts";

/**
 * Waits for a turn of a share and holds it until the answer is sent or the client is gone. Returns the function that ends it earlier.
 * @throws Problem busy
 */
export async function holdTurn(share: FairShare, workspaceId: string, reply: FastifyReply): Promise<() => void> {
  const leave = await share.enter(workspaceId);
  reply.raw.once("close", leave);
  // The close of a client that went away while it waited is not announced again.
  if (reply.raw.destroyed) leave();
  return leave;
}

/** A body of more bytes is large. Only bodies with files may be. */
const LARGE = 1024 * 1024;
/** The longest rest behind a large request. */
const LONGEST_REST_MS = 250;

/**
 * A hook before the parsing of bodies: one workspace has one large request at a time, and the next one waits, unread, until the thread
 * had as much time for others as the request took (at most LONGEST_REST_MS). Two loops of 19 MiB would otherwise leave the thread no
 * time: 207 ms for the p99 of other workspaces' syncs. @throws Problem busy
 */
export const largeBodiesInTurns =
  (share: FairShare, workspaceOf: (request: FastifyRequest) => string) =>
  async (request: FastifyRequest, reply: FastifyReply, payload: RequestPayload): Promise<RequestPayload> => {
    // A body in chunks does not say how long it is.
    if (Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY) <= LARGE) return payload;
    const leave = await share.enter(workspaceOf(request));
    if (reply.raw.destroyed) leave();
    let read: number | undefined;
    payload.once("end", () => {
      read = performance.now();
    });
    reply.raw.once("close", () => {
      const took = read === undefined ? 0 : performance.now() - read;
      setTimeout(leave, Math.min(LONGEST_REST_MS, took));
    });
    return payload;
  };
