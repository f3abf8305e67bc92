import type { FastifyRequest } from "fastify";
import { Counter } from "prom-client";
import type { Rejections } from "../ingest/index.ts";
import type { Ground } from "../platform/ground.ts";

/** Why something of a foreign client is left out although its call is answered as taken, and what the workspace is told of it. */
const REASONS = {
  anonymous: "It names nobody. Tidings keeps what is known of people with an id.",
  alias: "An alias of Segment merges ids. Use POST /api/v1/people/:person_id/merge.",
  unknown_type: "The type of the message is none that Tidings has.",
  metric: "The metric is none that Tidings has.",
  trait: "An attribute can't be what its name says. The others were taken.",
  invalid: "The message does not have the shape that its type needs.",
  too_large: "The message is over the limit of its kind.",
  another_person: "The person token is for another person than the one in the message.",
  refused: "The database does not take it.",
} as const;
export type Reason = keyof typeof REASONS;

/** What came, and where. */
export interface Left {
  data: unknown;
  item?: number | undefined;
  /** What is wrong, more exactly than the reason says it. */
  detail?: string | undefined;
}

/** Counts and notes what a foreign client sent and we leave out: its answer can't say so. */
export type Ignored = (client: "customerio" | "segment", reason: Reason, request: FastifyRequest, left: Left) => void;

export function ignoredCounter(ground: Ground, rejections: Rejections): Ignored {
  const counter = new Counter({
    name: "tidings_compat_ignored_total",
    help: "Messages, or parts of one, that clients of others sent and that were left out, by client and reason",
    labelNames: ["client", "reason"] as const,
    registers: [ground.metrics.registry],
  });
  return (client, reason, request, { data, item, detail }) => {
    counter.inc({ client, reason });
    rejections.note(request, { code: reason, reason: detail ?? REASONS[reason], data, item });
  };
}
