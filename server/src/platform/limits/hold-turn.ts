import type { preParsingHookHandler, FastifyReply, FastifyRequest } from "fastify";
import type { FairShare } from "./fair-share.ts";

/**
 * Waits for a turn of a share and holds it until the answer is sent or the client is gone. The next turn begins `restMs` later. Returns the
 * function that ends the turn earlier. @throws Problem busy
 */
export async function holdTurn(
  share: FairShare,
  workspaceId: string,
  reply: FastifyReply,
  restMs = () => 0,
): Promise<() => void> {
  const leave = await share.enter(workspaceId);
  // The close of a client that went away while it waited is not announced again.
  if (reply.raw.destroyed) leave();
  reply.raw.once("close", () => {
    const rest = restMs();
    if (rest > 0) setTimeout(leave, rest);
    else leave();
  });
  return leave;
}

/** A body of more bytes is large. Only bodies with files may be. */
const LARGE = 1024 * 1024;
/** The longest rest behind a large request. */
const LONGEST_REST_MS = 250;

/**
 * A hook before the parsing of bodies: one workspace has one large request at a time, and the next one waits, unread, until the thread
 * had as much time for others as the request took (at most LONGEST_REST_MS). Two loops of 19 MiB would otherwise leave the thread no
 * time: 207 ms for the p99 of other workspaces' syncs. It answers 429 `busy` where too many wait. A small body passes without a promise.
 */
export const largeBodiesInTurns =
  (share: FairShare, workspaceOf: (request: FastifyRequest) => string): preParsingHookHandler =>
  (request, reply, payload, done) => {
    // A body in chunks does not say how long it is.
    if (Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY) <= LARGE) return done(null, payload);
    let read: number | undefined;
    const restMs = () => (read === undefined ? 0 : Math.min(LONGEST_REST_MS, performance.now() - read));
    holdTurn(share, workspaceOf(request), reply, restMs).then(
      () => {
        payload.once("end", () => {
          read = performance.now();
        });
        done(null, payload);
      },
      (error) => done(error),
    );
  };
