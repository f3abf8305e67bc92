import { createHmac, hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Ground } from "../platform/ground.ts";
import { encodeId, newId } from "../platform/ids.ts";
import type { Answer } from "../platform/resources/idempotency.ts";
import { queuedSince } from "./repeats-store.ts";

/**
 * Finds the first call of a repeat without an Idempotency-Key. A client marks only its repeats (X-Retry-Count), so the first call
 * must be found without a row or a statement of its own: the id of its delivery ends with these 40 bits, which its repeats have
 * too. The rest of the id, its time and its sequence, is as in every other id.
 */
export interface Mark {
  bits: string;
  /** Whether the client marked the call as a repeat. Without a mark, an equal call is a new call. */
  repeat: boolean;
}

const LIFE_MS = 10 * 60_000;
/** Hex digits at the end of an id. Two different calls to one person within ten minutes have the same ones with a chance of 10^-12. */
const DIGITS = 10;
/** Only the length and both ends of an attachment are hashed: 20 MiB would block all other requests for 50 ms. */
const ENDS = 32 * 1_024;

/** Returns the function that computes a call's mark; `place` is the index of the call in a batch. */
export function marker(ground: Ground): (request: FastifyRequest, body: object, place?: number) => Mark {
  // A secret of the installation: others see the ids, and could find a short body by trying all of them.
  const secret = createHmac("sha256", ground.linkKey.mac).update("calls").digest("hex");
  return (request, body, place) => {
    const { attachments, ...rest } = body as { attachments?: Record<string, string> };
    const path = request.url.split("?", 1)[0] as string;
    const files = Object.entries(attachments ?? {}).map(([name, content]) => {
      const base64 = String(content);
      return `\0${name}\0${base64.length}\0${base64.slice(0, ENDS)}${base64.slice(-ENDS)}`;
    });
    // A plain hash takes 0.6 us, and an HMAC 2.0 us. An HMAC would only help against somebody who sees the whole digest.
    const text = `${secret}\0${request.caller.keyId}\0${path}\0${place ?? ""}\0${JSON.stringify(rest)}${files.join("")}`;
    const repeat = Number(request.headers["x-retry-count"] ?? 0) > 0;
    return { bits: hash("sha256", text, "hex").slice(0, DIGITS), repeat };
  };
}

/** Returns a new delivery id that ends with the mark. */
export const markedId = (mark: Mark | undefined): string =>
  mark === undefined ? newId() : newId().slice(0, -DIGITS) + mark.bits;

/** Returns the answer of the first call that this one repeats, or undefined if there was none in the last ten minutes. */
export async function firstAnswer(
  ground: Ground,
  mark: Mark,
  { personKey, personId }: { personKey: string; personId: string },
): Promise<Answer | undefined> {
  const since = new Date(ground.clock.now().getTime() - LIFE_MS);
  const rows = await queuedSince(ground.db, personKey, since, new Date(Date.now() - LIFE_MS));
  const first = rows.find(({ id }) => id.endsWith(mark.bits));
  if (!first) return undefined;
  const suppressed = first.status === "suppressed";
  return {
    status: 202,
    body: {
      delivery_id: encodeId("dlv", first.id),
      person_id: personId,
      status: suppressed ? "suppressed" : "queued",
      ...(suppressed && first.reason !== null && { reason: first.reason }),
      queued_at: first.queued_at.toISOString(),
    },
  };
}
