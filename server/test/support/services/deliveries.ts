import { Metrics } from "@tidings/contract/facts/activity";
import { type Feedback, feedback } from "../../../src/outbound/feedback/feedback.ts";
import type { Job } from "../../../src/outbound/message/message.ts";
import { settle } from "../../../src/outbound/queue/settle-store.ts";
import { endSuppressed } from "../../../src/outbound/queue/suppression-check-store.ts";
import { type Queries, sql, type Tx } from "../../../src/platform/db/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { personKey } from "../../../src/workspaces/index.ts";
import type { TestClock, TestService } from "../service.ts";

/** A delivery that a worker has claimed, or that waits in an application's queue. */
export interface Made {
  id: string;
  person: string;
  leaseId: string;
}

export interface Making {
  channel: "in_app" | "email";
  status: string;
  source: "transactional" | "broadcast" | "test";
  sourceId: string | null;
  variant?: string;
  person: string;
}

/** Creates deliveries without sending them, and records events of them, by the statements of the service. */
export function deliveriesOf({ service: { ground }, workspaceId }: TestService, clock: TestClock, messageId: string) {
  async function insert(q: Queries, row: Making): Promise<Made> {
    const made = { id: newId(), person: row.person, leaseId: newId() };
    const inApp = row.channel === "in_app";
    await q.execute(sql`
      insert into deliveries (person_key, id, workspace_id, channel, source, source_id, variant, status, queued_at, message_id, message_version, live, lease_id, due_at, reason)
      values (${personKey(workspaceId, row.person)}, ${made.id}, ${workspaceId}, ${row.channel}, ${row.source}, ${row.sourceId}, ${row.variant ?? null}, ${row.status},
        ${clock.now()}, ${inApp ? messageId : null}, ${inApp ? 1 : null}, ${inApp && row.status === "queued"}, ${made.leaseId},
        ${row.status === "sending" ? new Date("2999-01-01") : null}, ${row.status === "failed" || row.status === "suppressed" ? row.status : null})`);
    return made;
  }

  const jobOf = ({ id, person, leaseId }: Made) =>
    ({ personKey: personKey(workspaceId, person), deliveryId: id, leaseId }) as Job;

  function end(q: Queries, made: Made, status: "sent" | "failed") {
    const rest = {
      reason: null,
      provider: "smtp",
      providerMessageId: null,
      waitMs: null,
      note: {},
      dead: [],
    };
    return settle(q, [{ job: jobOf(made), status, ...rest }], clock.now());
  }

  const endAsSuppressed = (q: Queries, made: Made) =>
    endSuppressed(q, [{ job: jobOf(made), reason: "complaint" }], clock.now());

  function tell(tx: Tx, made: Made, kind: Feedback["kind"], hoursAgo: number) {
    const at = new Date(clock.now().getTime() - hoursAgo * 3_600_000);
    return feedback(tx, ground, [{ workspaceId, deliveryId: made.id, kind, at, permanent: true }]);
  }

  return { insert, end, endAsSuppressed, tell };
}

type Times = Record<keyof Metrics, string | null>;
const METRICS = Object.keys(Metrics.properties) as (keyof Metrics)[];

/** Returns when each of the metrics happened to a delivery, by the fields of the list. */
// biome-ignore lint/suspicious/noExplicitAny: an answer
export const happenings = (row: any): Times => ({
  sent: row.channel !== "in_app" ? row.sent_at : row.status === "failed" ? null : row.queued_at,
  delivered: row.channel === "in_app" ? row.shown_at : row.delivered_at,
  shown: row.shown_at,
  opened: row.opened_at,
  clicked: row.clicked_at,
  dismissed: row.dismissed_at,
  bounced: row.bounced_at,
  unsubscribed: row.unsubscribed_at,
  failed: row.failed_at,
});

/** Returns how many happened, in all or at the given times. */
export const count = (rows: Times[], holds: (at: string) => boolean = () => true) =>
  Object.fromEntries(
    METRICS.map((metric) => [metric, rows.filter((row) => row[metric] !== null && holds(row[metric])).length]),
  );
