import type { StepOf } from "@tidings/contract/campaigns/steps";
import type { Rehearsed } from "../../../sendings/index.ts";
import {
  causeOf,
  deliveryIdOf,
  forAll,
  type Participant,
  type SentMessage,
  type StepResult,
} from "../../engine/steps/batch.ts";
import { messageWork } from "../../engine/steps/escalation.ts";
import { sendingOf } from "../../engine/steps/message.ts";
import { personIn, runIn, type SimulatedDelivery, type World } from "./world.ts";

type MessageStep = StepOf<"message">;

/** Statuses of deliveries that the person will not get. */
const FAILED: ReadonlySet<string> = new Set(["failed", "suppressed"]);

/** Sends messages in the world: they are rendered and kept in memory. */
export const message = messageWork<World>({
  async load(world, step, participants) {
    for (const participant of participants) {
      const { row, deliveries } = runIn(world, participant.run.id);
      if (row.step_id !== step.id) continue;
      participant.sent = (row.escalation ?? []).map((id) => sentMessage(id, deliveries.get(id)));
    }
  },
  send: (world, step, position, participants) =>
    forAll(participants, async () => {
      const sending = sendingOf(world.published, step, position);
      const recipients = participants.map((participant) => ({
        person: participant.person,
        cause: causeOf(participant),
        deliveryId: deliveryIdOf(participant.run.id, step.id, position),
      }));
      const rehearsed = await world.rehearse(sending, recipients);
      return participants.map((participant, i) =>
        noteMessage(world, { step, position, topicId: sending.topicId }, participant, rehearsed[i] as Rehearsed),
      );
    }),
  async takeBack(world, taking) {
    const gone = new Set<string>();
    for (const { participant, positions } of taking)
      for (const id of positions.map((i) => participant.sent[i]?.deliveryId ?? "")) {
        const delivery = runIn(world, participant.run.id).deliveries.get(id);
        if (delivery?.status !== "queued" || delivery.shown_at !== null) continue;
        delivery.status = "canceled";
        gone.add(id);
      }
    return gone;
  },
});

/** Returns a message as the engine's `loadSent` does. */
function sentMessage(deliveryId: string, delivery: SimulatedDelivery | undefined): SentMessage {
  const seenAt = delivery?.shown_at ?? delivery?.opened_at ?? delivery?.clicked_at ?? null;
  const isFailed = !delivery || FAILED.has(delivery.status);
  return {
    channel: delivery?.channel ?? "in_app",
    deliveryId,
    at: delivery?.queued_at ?? null,
    failed: isFailed ? (delivery?.reason ?? delivery?.status ?? "not_sent") : undefined,
    seen: seenAt !== null,
    seenAt,
    open: delivery?.status === "queued" && !delivery.inbox,
    takenBack: delivery?.status === "canceled",
  };
}

/** Notes what a person gets. Nobody sees a message unless the input says so. */
function noteMessage(
  world: World,
  { step, position, topicId }: { step: MessageStep; position: number; topicId: string | null },
  { run }: Participant,
  sent: Rehearsed,
): StepResult {
  const channel = (position === 0 ? step.channel : step.escalate?.[position - 1]?.channel) ?? "in_app";
  // A message that waits is asked for again: nothing was sent yet.
  if (sent.held) return { held: sent.held };
  world.observer.rehearsed(run, step.id, channel, sent);
  const { variant, locale, heldOut, failed } = sent;
  const detail = { ...(variant !== null && { variant }), ...(locale !== null && { locale }) };
  if (heldOut) return { heldOut, detail: { ...detail, held_out: true } };
  const deliveryId = deliveryIdOf(run.id, step.id, position);
  const delivery: SimulatedDelivery = {
    channel,
    source: "campaign",
    source_id: run.campaign_id,
    message_id: sent.messageId,
    status: failed === undefined ? "queued" : "failed",
    reason: failed ?? null,
    topicId,
    inbox: (sent.content as { render_type?: string } | undefined)?.render_type === "inbox_card",
    stepId: step.id,
    queued_at: world.time.now,
    sent_at: null,
    delivered_at: null,
    shown_at: null,
    opened_at: null,
    clicked_at: null,
    dismissed_at: null,
    bounced_at: null,
    complained_at: null,
    unsubscribed_at: null,
  };
  runIn(world, run.id).deliveries.set(deliveryId, delivery);
  if (failed === undefined && channel !== "in_app") world.queued.push(delivery);
  personIn(world, run.person_key).facts.deliveries.push(delivery);
  return { deliveryId, detail, failed };
}
