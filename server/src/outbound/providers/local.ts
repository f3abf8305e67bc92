import { isRefusal } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { newId } from "../../platform/ids.ts";
import { gather } from "../../platform/work/gather.ts";
import { LOCAL_SENDER } from "../message/email.ts";
import { type Capture, capture } from "./outbox-store.ts";
import type { HandOff, Kind, OutgoingPush, Provider } from "./protocol/provider.ts";

/** Captures messages instead of sending them. It is the default of each channel until a real provider is created. See GET /api/v1/outbox. */
export const local: Kind<"local"> = { credentialsGoTo: () => ({}), open: localProvider };

/** Stored instead of the message where `disable_message_retention` is set: it applies wherever a message may be stored. */
const NOT_RETAINED = { content_retained: false };

function localProvider(ground: Ground): Provider {
  const { workDb, clock } = ground;
  const keep = gather(
    async (captures: Capture[]) => {
      await capture(workDb, captures);
      return captures.map((): undefined => undefined);
    },
    { inFlight: 1, most: 256, retryAlone: isRefusal },
  );
  return {
    kind: "local",
    concurrency: 256,
    fallbackSender: LOCAL_SENDER,
    async hand(handOff) {
      const { job, deliveryId } = handOff;
      await keep({
        id: newId(),
        workspaceId: job.workspaceId,
        deliveryId: job.deliveryId,
        channel: job.channel,
        ...(job.retainContent === false ? { ...shown(handOff), message: NOT_RETAINED } : shown(handOff)),
        at: clock.now(),
      });
      return { kind: "sent", providerMessageId: deliveryId };
    },
    check: async () => undefined,
    close() {},
  };
}

/** Returns what GET /outbox shows: the message as a provider would have got it. A push is captured once for each device. */
function shown({ job, message }: HandOff): { recipient: string; message: Record<string, unknown> } {
  if ("device" in message) {
    const { device, ...push } = message as OutgoingPush;
    return { recipient: device.token, message: { ...push, platform: device.platform } };
  }
  if (!("messageId" in message)) return { recipient: job.recipient, message: { ...message } };
  const { messageId, replyTo, attachments, ...email } = message;
  const files = attachments.map(({ name, base64 }) => ({ name, bytes: Buffer.byteLength(base64, "base64") }));
  const named = { ...(replyTo && { reply_to: replyTo }), message_id: messageId, attachments: files };
  return { recipient: job.recipient, message: { ...email, ...named } };
}
