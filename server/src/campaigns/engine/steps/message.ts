import type { StepOf } from "@tidings/contract/campaigns/steps";
import {
  applyLimits,
  chooser,
  fixVersions,
  queueTo,
  recordHeld,
  readRules,
  refusals,
  type Sending,
} from "../../../sendings/index.ts";
import type { Published } from "../../definition/published.ts";
import { messageWork } from "./escalation.ts";
import { loadSent, takeBack } from "./sent.ts";
import {
  type Batch,
  causeOf,
  deliveryIdOf,
  type Participant,
  type StepResult,
  forAll,
  type StepWork,
} from "./batch.ts";

type MessageStep = StepOf<"message">;

/**
 * Returns one message of a step as a sending: at position 0 the step's own, then those of `escalate`, by the same rules. People are split by
 * campaign and step, so a person who enters again gets the same variant. Only the step's own message has variants, languages and a holdout.
 */
export function sendingOf({ workspaceId, campaignId }: Published, step: MessageStep, position = 0): Sending {
  const { channel = "in_app", message_id, content } = position === 0 ? step : (step.escalate?.[position - 1] ?? step);
  const sending: Sending = {
    holdoutPercent: 0,
    topicId: null,
    tracking: { opens: false, clicks: false },
    preference: "subscribed",
    whenHeld: "wait",
    ...readRules(step),
    workspaceId,
    source: "campaign",
    sourceId: campaignId,
    step: { id: step.id, position },
    splitBy: `${campaignId}:${step.id}`,
    channel,
    editions: {
      ...(message_id !== undefined && { message_id }),
      ...(content !== undefined && { content }),
      locales: position === 0 ? (step.locales ?? null) : null,
      variants: position === 0 ? (step.variants ?? null) : null,
    },
    oncePerAddress: false,
  };
  return position === 0 ? sending : { ...sending, holdoutPercent: 0 };
}

/** Queues a message of the step in the newest version of its content. A held-out person gets no delivery. */
const send = (batch: Batch, step: MessageStep, position: number, participants: Participant[]): Promise<StepResult[]> =>
  forAll(participants, async () => {
    const { tx, ground, workspace, published, time, heldBack } = batch;
    const authored = sendingOf(published, step, position);
    const sending = { ...authored, editions: await fixVersions(tx, authored, authored.editions) };
    const choose = chooser(sending);
    const chosen = participants.map((participant) => ({ participant, ...choose(participant.person) }));
    const meant = chosen
      .filter(({ heldOut }) => !heldOut)
      .map(({ participant, edition }) => ({
        deliveryId: deliveryIdOf(participant.run.id, step.id, position),
        person: participant.person,
        edition,
        cause: causeOf(participant),
      }));
    const reasons = await refusals(tx, sending, meant);
    const recipients = meant.map((one, i) => ({ ...one, refused: reasons[i] }));
    const { left, moved } = await applyLimits(heldBack, sending, recipients, time.now);
    await recordHeld(tx, sending, { moved, recipients }, time.now);
    const failed = await queueTo(tx, ground, { workspace, sending, now: time.now }, left);
    return chosen.map(({ participant, edition, heldOut }): StepResult => {
      const detail = {
        ...(edition.variant !== null && { variant: edition.variant }),
        ...(edition.locale !== null && { locale: edition.locale }),
      };
      if (heldOut) return { heldOut, detail: { ...detail, held_out: true } };
      const deliveryId = deliveryIdOf(participant.run.id, step.id, position);
      const held = moved.get(deliveryId);
      if (held) return { held };
      return { deliveryId, detail, failed: failed.get(deliveryId) };
    });
  });

export const message: StepWork<MessageStep> = messageWork({ load: loadSent, send, takeBack });
