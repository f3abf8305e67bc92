import { NOBODY } from "./give-up.ts";
import type { Handed } from "./handover.ts";
import type { Job } from "./message.ts";
import type { Wait } from "./opened.ts";
import { waitAfter } from "./retry.ts";
import { storable } from "./storable.ts";
import { type Settlement, UNDETERMINED } from "./store.ts";

/** Of one that a dead process had begun. */
export const LEFT_OVER: Handed = {
  outcome: { kind: "unknown", reason: "the process that was handing it over ended" },
  by: undefined,
};

/** Nobody could be asked for as long as a delivery is repeated: it is over, as for one that was refused to the last. */
export const nobody = ({ by }: Wait): Handed => ({
  outcome: { kind: "refused", reason: `${NOBODY}: ${by.name} rests` },
  by: undefined,
});

/** What the row becomes by how the attempt ended. */
export function verdict(job: Job, { outcome, by, devices, dead = [] }: Handed): Settlement {
  const note = { ...job.note, ...(outcome.kind === "sent" && outcome.note), ...(devices && { devices }) };
  const base = { job, provider: by?.provider.kind ?? null, providerMessageId: null, waitMs: null, note, dead };
  if (outcome.kind === "sent") {
    const providerMessageId = outcome.providerMessageId === undefined ? null : storable(outcome.providerMessageId);
    return { ...base, status: "sent", reason: null, providerMessageId };
  }
  const reason = storable(outcome.reason);
  // A one-time code that arrives twice is worse than one that never does: the second would void the first.
  if (outcome.kind === "unknown" && job.atMostOnce)
    return { ...base, status: "failed", reason: `${UNDETERMINED}: ${reason}` };
  const again = outcome.kind === "retry" || outcome.kind === "unknown";
  const afterMs = outcome.kind === "retry" ? outcome.afterMs : undefined;
  const waitMs = again ? waitAfter(job.attempts + 1, Math.random(), afterMs) : undefined;
  if (waitMs === undefined) return { ...base, status: "failed", reason };
  return { ...base, status: "queued", reason, waitMs };
}
