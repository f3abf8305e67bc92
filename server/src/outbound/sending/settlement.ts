import type { Wait } from "../connection/connection.ts";
import type { Job } from "../message/message.ts";
import { logText } from "../message/log-text.ts";
import { HORIZON_MS, waitAfter } from "../queue/retry.ts";
import { type Settlement, UNDETERMINED } from "../queue/settle-store.ts";
import type { AttemptResult } from "./handover.ts";

/** How the reason of a delivery begins that nobody could be asked to send. */
export const NO_PROVIDER = `no provider took it within ${Math.floor(HORIZON_MS / 3_600_000)} hours`;

/** How it begins where its own time was over before a provider took it. */
const EXPIRED = "expired";
export const EXPIRED_WAITING = `${EXPIRED}: its expires_in was over before it could be sent`;

/** Whether its time is over, now or after a wait. */
export const isExpired = ({ expiresBy }: Job, waitMs = 0): boolean =>
  expiresBy !== undefined && performance.now() + waitMs >= expiresBy;

/** Of one whose time was over before anybody was asked, or asked again. */
export const EXPIRED_BEFORE: AttemptResult = {
  outcome: { kind: "refused", reason: EXPIRED_WAITING },
  by: undefined,
};

/** Of one that a dead process had begun. */
export const LEFT_BY_DEAD_PROCESS: AttemptResult = {
  outcome: { kind: "unknown", reason: "the process that was handing it over ended" },
  by: undefined,
};

/** Nobody could be asked for as long as a delivery is repeated: it is over, as for one that was refused to the last. */
export const noProvider = ({ by }: Wait): AttemptResult => ({
  outcome: { kind: "refused", reason: `${NO_PROVIDER}: ${by.name} rests` },
  by: undefined,
});

/** What the row becomes by how the attempt ended. */
export function settlementOf(job: Job, { outcome, by, devices, dead = [] }: AttemptResult): Settlement {
  const note = { ...job.note, ...(outcome.kind === "sent" && outcome.note), ...(devices && { devices }) };
  const base = { job, provider: by?.provider.kind ?? null, providerMessageId: null, waitMs: null, note, dead };
  if (outcome.kind === "sent") {
    const providerMessageId = outcome.providerMessageId === undefined ? null : logText(outcome.providerMessageId);
    return { ...base, status: "sent", reason: null, providerMessageId };
  }
  const reason = logText(outcome.reason);
  // A one-time code that arrives twice is worse than one that never does: the second would void the first.
  if (outcome.kind === "unknown" && job.atMostOnce)
    return { ...base, status: "failed", reason: `${UNDETERMINED}: ${reason}` };
  const again = outcome.kind === "retry" || outcome.kind === "unknown";
  const afterMs = outcome.kind === "retry" ? outcome.afterMs : undefined;
  const waitMs = again ? waitAfter(job.attempts + 1, Math.random(), afterMs) : undefined;
  if (waitMs !== undefined && isExpired(job, waitMs))
    return { ...base, status: "failed", reason: `${EXPIRED}: ${reason}` };
  const deadAddress = outcome.kind === "refused" && outcome.invalidRecipient === true;
  if (waitMs === undefined) return { ...base, status: "failed", reason, deadAddress };
  const theirs =
    outcome.kind === "retry" ? outcome.fault !== undefined : outcome.kind === "unknown" && !outcome.blameless;
  return {
    ...base,
    status: "queued",
    reason,
    waitMs,
    putOffBy: theirs && by && by.provider.kind !== "local" ? by.id : null,
  };
}
