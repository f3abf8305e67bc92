import type { InteractionType } from "@tidings/contract/inapp/messages";
import type { InAppCap } from "@tidings/contract/workspaces";
import type { Entry } from "../../activity/index.ts";

/** One report of a client. */
export interface Report {
  deliveryId: string;
  type: InteractionType;
  /** Identifies the report where the client repeats it: an event_id, or an Idempotency-Key. */
  eventId?: string;
  /** When it happened, as the client says. */
  ts?: Date;
  screen?: string | null | undefined;
  platform?: string | null | undefined;
  app_version?: string | null | undefined;
  action_id?: string | null | undefined;
  reason?: string | null | undefined;
}

export interface Outcome {
  status: string;
  recorded: boolean;
}

/** The reports of one request, in the order in which they happened. */
export interface Ask {
  workspaceId: string;
  personKey: string;
  reports: Report[];
  /** The workspace's cap, where it has one. */
  cap?: InAppCap | null;
}

const AHEAD_MS = 5 * 60_000;
const BEHIND_MS = 7 * 86_400_000;

/** What the log keeps of a report. `id` makes a repeat of it a conflict. */
export function entryOf(deliveryId: string, ask: Ask, report: Report, now: Date, id: string | undefined): Entry {
  const data: Record<string, unknown> = {};
  for (const name of ["screen", "platform", "app_version", "action_id", "reason"] as const) {
    if (report[name] !== undefined && report[name] !== null) data[name] = report[name];
  }
  return {
    workspaceId: ask.workspaceId,
    personKey: ask.personKey,
    deliveryId,
    type: `in_app.${report.type}`,
    at: plausible(report.ts, now),
    data,
    ...(id !== undefined && { id }),
  };
}

/** The client's time where it can be true. It says in which order things happened, and no more: the server's clock decides all rules. */
export function trusted(ts: Date | undefined, now: Date): Date | undefined {
  const ahead = ts ? ts.getTime() - now.getTime() : 0;
  return ahead > AHEAD_MS || ahead < -BEHIND_MS ? undefined : ts;
}

/** When it happened, for the log. */
const plausible = (ts: Date | undefined, now: Date): Date => trusted(ts, now) ?? now;
