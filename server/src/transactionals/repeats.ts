import { createHmac, hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Ground } from "../platform/ground.ts";
import { encodeId, newId } from "../platform/ids.ts";
import type { Answer } from "../platform/resources/idempotency.ts";
import { queuedSince } from "./repeats-store.ts";

/**
 * What a call without an Idempotency-Key and its repeats have in common. A client that marks its repeats (X-Retry-Count)
 * marks them only: what the first call leaves behind is found without a row or a statement of its own, because the id of its
 * delivery ends with these 40 bits. The rest of the id, its time and its sequence, is as of every other.
 */
export interface Mark {
  bits: string;
  /** Whether the caller says that this is a repeat. A call that is not marked is a new one, however equal. */
  repeat: boolean;
}

const LIFE_MS = 10 * 60_000;
/** Hex digits at the end of an id: of two different calls to one person within ten minutes one in 10^12 pairs has the same. */
const DIGITS = 10;
/** Of an attachment its length and its ends: to hash 20 MiB would hold up everybody else for 50 ms. */
const ENDS = 32 * 1_024;

/** Gives what marks the calls of a process; `place` is where a call stands in a batch. */
export function marker(ground: Ground): (request: FastifyRequest, body: object, place?: number) => Mark {
  // Of the installation: ids are seen by others, and a body may be short enough to be tried out.
  const secret = createHmac("sha256", ground.linkKey.mac).update("calls").digest("hex");
  return (request, body, place) => {
    const { attachments, ...rest } = body as { attachments?: Record<string, string> };
    const path = request.url.split("?", 1)[0] as string;
    const files = Object.entries(attachments ?? {}).map(([name, content]) => {
      const text = String(content);
      return `\0${name}\0${text.length}\0${text.slice(0, ENDS)}${text.slice(-ENDS)}`;
    });
    // No HMAC for each call, which takes 2.0 us where this takes 0.6: what it adds is against who sees all of a digest.
    const said = `${secret}\0${request.caller.keyId}\0${path}\0${place ?? ""}\0${JSON.stringify(rest)}${files.join("")}`;
    const repeat = Number(request.headers["x-retry-count"] ?? 0) > 0;
    return { bits: hash("sha256", said, "hex").slice(0, DIGITS), repeat };
  };
}

/** A fresh delivery id that carries the mark. */
export const markedId = (mark: Mark | undefined): string =>
  mark === undefined ? newId() : newId().slice(0, -DIGITS) + mark.bits;

/** The answer that the first call got of which this is a repeat, or undefined where there was none in the last ten minutes. */
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
