import type { FastifyRequest } from "fastify";
import { Counter } from "prom-client";
import type { IngestGround } from "../ingest/index.ts";

/** Why data of a foreign client is left out although its call succeeds, with the reason that the workspace reads in the log of refused data. */
const REASONS = {
  anonymous: "The message names nobody. Tidings stores data about people with an id only.",
  alias: "An alias of Segment merges ids. Use POST /api/v1/people/:person_id/merge.",
  unknown_type: "Tidings does not know this type of message.",
  metric: "Tidings does not know this metric.",
  trait: "The value of an attribute does not fit its name. The other attributes were stored.",
  invalid: "The message does not have the shape that its type needs.",
  too_large: "The message is over the limit of its kind.",
  another_person: "The person token is for another person than the one in the message.",
  refused: "The database refuses to store this message.",
} as const;
export type Reason = keyof typeof REASONS;

/** The data that is left out. */
export interface IgnoredData {
  data: unknown;
  /** Its index in a batch. */
  item?: number | undefined;
  /** What exactly is wrong; used instead of the text of the reason. */
  detail?: string | undefined;
}

/** Counts and logs data of a foreign client that is left out, because the answer to the client can't say so. */
export type Ignore = (
  client: "customerio" | "segment",
  reason: Reason,
  request: FastifyRequest,
  ignored: IgnoredData,
) => void;

/** Creates the function that counts and logs ignored data. */
export function ignoredCounter({ metrics, rejections }: IngestGround): Ignore {
  const counter = new Counter({
    name: "tidings_compat_ignored_total",
    help: "Messages of other services' clients, or parts of one, that were left out, by client and reason",
    labelNames: ["client", "reason"] as const,
    registers: [metrics.registry],
  });
  return (client, reason, request, { data, item, detail }) => {
    counter.inc({ client, reason });
    rejections.note(request, { code: reason, reason: detail ?? REASONS[reason], data, item });
  };
}
