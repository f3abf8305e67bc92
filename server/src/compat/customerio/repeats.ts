import type { FastifyRequest } from "fastify";
import type { Ground } from "../../platform/ground.ts";
import { bodyHashOf, type Keyed, nameOfRepeats } from "../../platform/resources/idempotency.ts";

/** The client waits at most 30 s between attempts that each time out after 10 s; a queue before it may wait longer. */
const LIFE_MS = 10 * 60_000;

/**
 * `customerio-node` repeats after a timeout without an idempotency key, marking it X-Retry-Count. Such a repeat is recognised
 * by key, path and body within 10 minutes; a call that is not marked is always a new one, however equal. Gives what the
 * call and its repeats have in common, as the key of the work.
 */
export async function keyedByRepeats(ground: Ground, request: FastifyRequest): Promise<Keyed> {
  const { workspace, keyId } = request.caller;
  const path = request.url.split("?", 1)[0] as string;
  const bodyHash = bodyHashOf(request);
  const call: Keyed = {
    scope: workspace.id,
    route: `repeats of ${request.method} ${path}`,
    key: `${keyId} ${bodyHash.toString("hex")}`,
    bodyHash,
  };
  const repeat = Number(request.headers["x-retry-count"] ?? 0) > 0;
  const name = await nameOfRepeats(ground.db, call, { repeat, lifeMs: LIFE_MS, now: ground.clock.now() });
  return { scope: workspace.id, route: `${request.method} ${path}`, key: name, bodyHash };
}
