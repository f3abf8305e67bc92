import type { StepOf } from "@tidings/contract/campaigns/steps";
import { recallUnseen } from "../../../inapp/index.ts";
import { cancelUnsent } from "../../../outbound/index.ts";
import { messagesOf } from "../../rules/escalation.ts";
import { sentOf, type SentRow } from "../../run/facts-store.ts";
import { type Batch, deliveryIdOf, type Participant, type SentMessage } from "./batch.ts";
import type { TakeBack } from "./escalation.ts";

/** The reason of a delivery that was taken back because the person saw another message of the step. */
const SEEN_ELSEWHERE = "seen_elsewhere";

/** Statuses of deliveries that the person will not get. */
const FAILED: ReadonlySet<string> = new Set(["failed", "suppressed", "bounced"]);

/**
 * Loads what became of the messages that runs were sent at a step which escalates. A run that arrives was sent none. The row of a run names
 * the deliveries; the deliveries that exist count too, for a run that was put back to its step.
 */
export async function loadSent(
  { tx, time }: Batch,
  step: StepOf<"message">,
  participants: Participant[],
): Promise<void> {
  const messages = messagesOf(step);
  const asked = participants.flatMap((participant) => {
    const { run, steppedAt } = participant;
    if (run.step_id !== step.id) return [];
    const known = run.escalation?.length ?? 0;
    const isNew = steppedAt.getTime() === time.clock.getTime() || messages.length === 1;
    if (known === 0 && isNew) return [];
    const length = Math.max(known, messages.length);
    return [{ participant, known, ids: Array.from({ length }, (_, i) => deliveryIdOf(run.id, step.id, i)) }];
  });
  if (asked.length === 0) return;
  const rows = await sentOf(
    tx,
    asked.flatMap(({ participant: { run }, ids }) =>
      ids.map((deliveryId, position) => ({
        personKey: run.person_key,
        runId: run.id,
        stepId: step.id,
        position,
        deliveryId,
      })),
    ),
  );
  const byId = new Map(rows.map((row) => [row.delivery_id, row]));
  for (const { participant, known, ids } of asked) {
    const last = ids.findLastIndex((id) => byId.get(id)?.status != null || byId.get(id)?.noted != null);
    participant.sent = ids
      .slice(0, Math.max(known, last + 1))
      .map((id, i) => sentMessage(id, messages[i]?.channel, byId.get(id)));
  }
}

/** Takes back messages that a person has not got yet, because they saw another one. A message that is being sent or shown stays. */
export async function takeBack({ tx, workspace, time: { now } }: Batch, taking: TakeBack[]): Promise<Set<string>> {
  const all = taking.flatMap(({ participant, positions }) =>
    positions.flatMap((i) => {
      const message = participant.sent[i];
      return message ? [{ message, key: { person_key: participant.run.person_key, id: message.deliveryId } }] : [];
    }),
  );
  const keysOf = (inApp: boolean) =>
    all.filter(({ message }) => (message.channel === "in_app") === inApp).map(({ key }) => key);
  const [pulled, pushed] = [keysOf(true), keysOf(false)];
  const how = { reason: SEEN_ELSEWHERE, now };
  return new Set([
    ...(pulled.length > 0 ? await recallUnseen(tx, workspace.id, { deliveries: pulled, ...how }) : []),
    ...(pushed.length > 0 ? await cancelUnsent(tx, workspace.id, { deliveries: pushed, ...how }) : []),
  ]);
}

function sentMessage(
  deliveryId: string,
  channel: SentMessage["channel"] | undefined,
  row: SentRow | undefined,
): SentMessage {
  const { status = null, reason = null, noted = null, seen_at: seenAt = null } = row ?? {};
  const failed = status === null || FAILED.has(status);
  return {
    channel: row?.channel ?? channel ?? "in_app",
    deliveryId,
    at: row?.queued_at ?? null,
    failed: failed ? (reason ?? noted ?? status ?? "not_sent") : undefined,
    seen: seenAt !== null,
    seenAt,
    open: status === "queued" && !row?.inbox,
    takenBack: status === "canceled" && reason === SEEN_ELSEWHERE,
  };
}
