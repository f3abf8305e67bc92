import { waitAfter } from "../../platform/outbound-http/index.ts";
import type { Wait } from "../connection/connection.ts";
import { type Job, logText } from "../message/message.ts";
import { HORIZON_MS, WAITS } from "../queue/retry.ts";
import { type Settlement, UNDETERMINED } from "../queue/settle-store.ts";
import type { AttemptResult } from "./handover.ts";

/** The start of the reason of a delivery for which no provider could be asked. */
export const NO_PROVIDER = `no provider took it within ${Math.floor(HORIZON_MS / 3_600_000)} hours`;

/** The start of the reason of a delivery whose own time was over before a provider took it. */
const EXPIRED = "expired";
export const EXPIRED_WAITING = `${EXPIRED}: its expires_in was over before it could be sent`;

/** Whether the delivery's own time is over, now or after this wait. */
export const isExpired = ({ expiresBy }: Job, waitMs = 0): boolean =>
  expiresBy !== undefined && performance.now() + waitMs >= expiresBy;

/** The result for a delivery whose own time was over before this attempt. */
export const EXPIRED_BEFORE: AttemptResult = {
  outcome: { kind: "refused", reason: EXPIRED_WAITING },
  by: undefined,
};

/** The result for a delivery that a process had begun before it died. */
export const LEFT_BY_DEAD_PROCESS: AttemptResult = {
  outcome: { kind: "unknown", reason: "the process that was handing it over ended" },
  by: undefined,
};

/** The result for a delivery for which no provider could be asked for as long as a delivery is repeated: it ends like a refused one. */
export const noProvider = ({ by }: Wait): AttemptResult => ({
  outcome: { kind: "refused", reason: `${NO_PROVIDER}: ${by.name} rests` },
  by: undefined,
});

/** Returns what to write into the row after an attempt. */
export function settlementOf(job: Job, { outcome, by, devices, dead = [] }: AttemptResult): Settlement {
  const note = { ...job.note, ...(outcome.kind === "sent" && outcome.note), ...(devices && { devices }) };
  const base = { job, provider: by?.provider.kind ?? null, providerMessageId: null, waitMs: null, note, dead };
  if (outcome.kind === "sent") {
    const providerMessageId = outcome.providerMessageId === undefined ? null : logText(outcome.providerMessageId);
    return { ...base, status: "sent", reason: null, providerMessageId };
  }
  const reason = logText(outcome.reason);
  // A one-time code that arrives twice is worse than one that never arrives: the second would void the first.
  if (outcome.kind === "unknown" && job.atMostOnce)
    return { ...base, status: "failed", reason: `${UNDETERMINED}: ${reason}` };
  const repeatable = outcome.kind === "retry" || outcome.kind === "unknown";
  const afterMs = outcome.kind === "retry" ? outcome.afterMs : undefined;
  const waitMs = repeatable ? waitAfter(WAITS, job.attempts + 1, Math.random(), afterMs) : undefined;
  if (waitMs !== undefined && isExpired(job, waitMs))
    return { ...base, status: "failed", reason: `${EXPIRED}: ${reason}` };
  const deadAddress = outcome.kind === "refused" && outcome.invalidRecipient === true;
  if (waitMs === undefined) return { ...base, status: "failed", reason, deadAddress };
  const providersFault =
    outcome.kind === "retry" ? outcome.fault !== undefined : outcome.kind === "unknown" && !outcome.blameless;
  return {
    ...base,
    status: "queued",
    reason,
    waitMs,
    putOffBy: providersFault && by && by.provider.kind !== "local" ? by.id : null,
  };
}
