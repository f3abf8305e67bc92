import type { InteractionType } from "@tidings/contract/inapp/messages";
import type { InAppCap } from "@tidings/contract/workspaces";
import { type Entry, OLDEST_REPORT_MS } from "../../activity/index.ts";

/** One interaction that a client reports. */
export interface Report {
  deliveryId: string;
  type: InteractionType;
  /** Identifies a report that the client may repeat: its event_id or Idempotency-Key. */
  eventId?: string;
  /** When it happened, by the client's clock. */
  ts?: Date;
  screen?: string | null | undefined;
  platform?: string | null | undefined;
  app_version?: string | null | undefined;
  action_id?: string | null | undefined;
  reason?: string | null | undefined;
}

export interface InteractionOutcome {
  status: string;
  recorded: boolean;
}

/** The reports of one request, in the order in which they happened. */
export interface InteractionRequest {
  workspaceId: string;
  personKey: string;
  reports: Report[];
  /** The workspace's cap, where it has one. */
  cap?: InAppCap | null;
}

const AHEAD_MS = 5 * 60_000;

/** The log entry of a report. A repeat has the same `id`, so that it conflicts with the entry in the log. */
export function entryOf(
  request: InteractionRequest,
  report: Report,
  { id, now }: { id: string | undefined; now: Date },
): Entry {
  const data: Record<string, unknown> = {};
  for (const name of ["screen", "platform", "app_version", "action_id", "reason"] as const) {
    if (report[name] !== undefined && report[name] !== null) data[name] = report[name];
  }
  return {
    workspaceId: request.workspaceId,
    personKey: request.personKey,
    deliveryId: report.deliveryId,
    type: `in_app.${report.type}`,
    at: plausible(report.ts, now),
    data,
    ...(id !== undefined && { id }),
  };
}

/** The client's time, where it can be true. It only orders the interactions; the server's clock decides all rules. */
export function trusted(ts: Date | undefined, now: Date): Date | undefined {
  const ahead = ts ? ts.getTime() - now.getTime() : 0;
  return ahead > AHEAD_MS || ahead < -OLDEST_REPORT_MS ? undefined : ts;
}

/** The time for the log: the client's where it can be true, else the server's. */
const plausible = (ts: Date | undefined, now: Date): Date => trusted(ts, now) ?? now;
