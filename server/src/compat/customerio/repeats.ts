import type { FastifyRequest } from "fastify";
import type { Ground } from "../../platform/ground.ts";
import { bodyHashOf, type Keyed, nameOfRepeats } from "../../platform/resources/idempotency.ts";

/** The client waits at most 30 s between attempts, and each attempt ends after 10 s. A queue before the client may wait longer. */
const LIFE_MS = 10 * 60_000;

/**
 * Returns the idempotency key that a call and its repeats have in common. `customerio-node` repeats a call after a timeout without a key,
 * and only marks it with X-Retry-Count. Such a repeat is recognised by API key, path and body within 10 minutes. A call without the mark is
 * always a new one, even if it is equal.
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
