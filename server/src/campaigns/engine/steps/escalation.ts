import type { StepOf } from "@tidings/contract/campaigns/steps";
import { encodeId } from "../../../platform/ids.ts";
import { messagesOf, type SentMessages } from "../../rules/escalation.ts";
import type { Turn } from "../../rules/turn.ts";
import { deliveryIdOf, type Participant, type StepContext, type StepResult, type StepWork } from "./batch.ts";

type MessageStep = StepOf<"message">;

/** Messages of a run at these positions, to take back. */
export interface TakeBack {
  participant: Participant;
  positions: number[];
}

/** The reads and writes of message steps, in the engine or in a simulation. */
export interface Messages<C extends StepContext> {
  /** Fills `sent` of the runs that were sent messages at this step in earlier rounds. */
  load(context: C, step: MessageStep, participants: Participant[]): Promise<void>;
  /** Sends each of these runs the message at a position. */
  send(context: C, step: MessageStep, position: number, participants: Participant[]): Promise<StepResult[]>;
  /** Takes messages back that the person has not got yet. Returns the ids of their deliveries. */
  takeBack(context: C, taking: TakeBack[]): Promise<Set<string>>;
}

/** Returns the work of message steps: it sends the messages of a step one after the other, as rules/escalation.ts decides. */
export const messageWork = <C extends StepContext>(messages: Messages<C>): StepWork<MessageStep, C> => ({
  async loadFacts(context, step, participants) {
    await messages.load(context, step, participants);
    return participants.map((participant) => ({ messages: sentTo(participant) }));
  },
  async act(context, step, participants, effects) {
    const results = new Map<Participant, StepResult>();
    const taking = participants.flatMap((participant, i): TakeBack[] => {
      const positions = effects[i]?.takeBack;
      return positions ? [{ participant, positions }] : [];
    });
    const gone = taking.length > 0 ? await messages.takeBack(context, taking) : new Set<string>();
    for (const one of taking) results.set(one.participant, noteTakenBack(one, gone));
    const sending = participants.filter((participant) => !results.has(participant));
    for (const [position, some] of Map.groupBy(sending, ({ sent }) => sent.length)) {
      const sent = await messages.send(context, step, position, some);
      for (const [i, participant] of some.entries())
        results.set(participant, noteSent(context, { step, position }, participant, sent[i] as StepResult));
    }
    return participants.map((participant) => results.get(participant) as StepResult);
  },
  detailOf,
});

/** Returns the messages that a run was sent at its step, as the rules see them. */
const sentTo = ({ sent, sentAt }: Participant): SentMessages => ({ tried: [...sent], since: sentAt });

function noteTakenBack({ participant, positions }: TakeBack, gone: Set<string>): StepResult {
  for (const message of positions.map((i) => participant.sent[i])) {
    if (!message) continue;
    message.open = false;
    message.takenBack = gone.has(message.deliveryId);
  }
  return { messages: sentTo(participant) };
}

/** Adds a message to those that the run was sent. The passage names the delivery of the step's own message. */
function noteSent(
  { time: { now, clock } }: StepContext,
  { step, position }: { step: MessageStep; position: number },
  participant: Participant,
  { deliveryId, failed, heldOut, held, detail }: StepResult,
): StepResult {
  const details = detail ? { detail } : {};
  if (held) return { held, detail: { held_by: held.by, asked_at: now.toISOString() } };
  if (heldOut) return { heldOut, ...details };
  participant.sent.push({
    channel: messagesOf(step)[position]?.channel ?? "in_app",
    deliveryId: deliveryId ?? deliveryIdOf(participant.run.id, step.id, position),
    at: deliveryId === undefined ? null : now,
    failed,
    seen: false,
    seenAt: null,
    open: failed === undefined,
    takenBack: false,
  });
  participant.sentAt = clock;
  const messages = sentTo(participant);
  if (position > 0) return { messages };
  return { messages, ...details, ...(deliveryId !== undefined && { deliveryId }) };
}

/** Returns what became of each message of a step that escalates. */
function detailOf(
  { escalate = [] }: MessageStep,
  { sent }: Participant,
  next: Turn,
): Record<string, unknown> | undefined {
  if (sent.length === 0 || escalate.length === 0) return undefined;
  const messages = sent.map(({ channel, deliveryId, at, failed, seenAt, takenBack }) => ({
    channel,
    status: seenAt ? "seen" : takenBack ? "canceled" : failed === undefined ? "sent" : "failed",
    ...(at && { delivery_id: encodeId("dlv", deliveryId), queued_at: at.toISOString() }),
    ...(seenAt && { seen_at: seenAt.toISOString() }),
    ...(failed !== undefined && { reason: failed }),
  }));
  const isOver = next.kind !== "wait" && sent.some(({ seen }) => seen);
  const rest = isOver ? escalate.slice(sent.length - 1) : [];
  return { messages: [...messages, ...rest.map(({ channel }) => ({ channel, status: "canceled" }))] };
}
