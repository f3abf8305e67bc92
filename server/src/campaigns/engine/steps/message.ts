import type { StepOf } from "@tidings/contract/campaigns/steps";
import { chooser, fixVersions, queueTo, readRules, refusals, type Sending } from "../../../sendings/index.ts";
import type { Published } from "../../definition/published.ts";
import {
  type Batch,
  causeOf,
  deliveryIdOf,
  type StepResult,
  forAll,
  type StepWork,
  type Participant,
} from "./batch.ts";

type MessageStep = StepOf<"message">;

/** Returns a message step as a sending. People are split by campaign and step, so a person who enters again gets the same variant. */
export const sendingOf = ({ workspaceId, campaignId }: Published, step: MessageStep): Sending => ({
  holdoutPercent: 0,
  topicId: null,
  tracking: { opens: false, clicks: false },
  preference: "subscribed",
  ...readRules(step),
  workspaceId,
  source: "campaign",
  sourceId: campaignId,
  splitBy: `${campaignId}:${step.id}`,
  channel: step.channel ?? "in_app",
  editions: {
    ...(step.message_id !== undefined && { message_id: step.message_id }),
    ...(step.content !== undefined && { content: step.content }),
    locales: step.locales ?? null,
    variants: step.variants ?? null,
  },
  oncePerAddress: false,
});

/** Queues the step's message in the newest version of its content. A held-out person gets no delivery. */
async function act(batch: Batch, step: MessageStep, participants: Participant[]): Promise<StepResult[]> {
  const { tx, ground, workspace, published, time } = batch;
  return forAll(participants, async () => {
    const authored = sendingOf(published, step);
    const sending = { ...authored, editions: await fixVersions(tx, authored, authored.editions) };
    const choose = chooser(sending);
    const chosen = participants.map((participant) => ({ participant, ...choose(participant.person) }));
    const meant = chosen
      .filter(({ heldOut }) => !heldOut)
      .map(({ participant, edition }) => ({
        deliveryId: deliveryIdOf(participant.run.id, step.id),
        person: participant.person,
        edition,
        cause: causeOf(participant),
      }));
    const reasons = await refusals(tx, sending, meant);
    const failed = await queueTo(
      tx,
      ground,
      { workspace, sending, now: time.now },
      meant.map((one, i) => ({ ...one, refused: reasons[i] })),
    );
    return chosen.map(({ participant, edition, heldOut }): StepResult => {
      const detail = {
        ...(edition.variant !== null && { variant: edition.variant }),
        ...(edition.locale !== null && { locale: edition.locale }),
      };
      if (heldOut) return { detail: { ...detail, held_out: true } };
      const deliveryId = deliveryIdOf(participant.run.id, step.id);
      return { deliveryId, detail, failed: failed.get(deliveryId) };
    });
  });
}

export const message: StepWork<MessageStep> = { act };
