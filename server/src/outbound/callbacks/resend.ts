import { parseJson } from "../../platform/http/index.ts";
import {
  type CallbackEvent,
  type CallbackReader,
  type Fields,
  fieldsOf,
  listOf,
  notConfigured,
  textOf,
  timeOf,
} from "./callback.ts";
import { standardWebhook } from "./signed.ts";
import type { PlacedDelivery } from "../feedback/places-store.ts";
import { deliveryOf } from "../feedback/reference.ts";

/** Resend, "Webhooks": one event a call, signed by Svix. */
export const resend: CallbackReader<"resend"> = (received, { credentials }) => {
  const secret = credentials.webhook_secret;
  if (secret === undefined) throw notConfigured("credentials.webhook_secret");
  const { id: eventId } = standardWebhook(received, secret);
  const event = fieldsOf(parseJson(received.raw));
  const data = fieldsOf(event.data);
  const delivery = tagOf(data.tags);
  const what = meaning(event.type, data);
  if (!delivery || !what) return { items: [] };
  const link = textOf(fieldsOf(data.click).link);
  const item: CallbackEvent = {
    ...delivery,
    at: timeOf(event.created_at, received.now),
    eventId,
    reason: textOf(fieldsOf(data.bounce).message) ?? textOf(fieldsOf(data.failed).reason),
    ...(link !== undefined && { data: { link } }),
    ...what,
  };
  return { items: [item] };
};

/** Tags come back as an object, and in some events as the list that was sent. */
function tagOf(tags: unknown): PlacedDelivery | undefined {
  const listed = listOf(tags).map(fieldsOf);
  return deliveryOf(fieldsOf(tags).delivery_id ?? listed.find(({ name }) => name === "delivery_id")?.value);
}

function meaning(type: unknown, data: Fields): Pick<CallbackEvent, "kind" | "permanent"> | undefined {
  switch (type) {
    case "email.delivered":
      return { kind: "delivered" };
    // Transient and Undetermined bounces may pass.
    case "email.bounced":
      return { kind: "bounced", permanent: fieldsOf(data.bounce).type === "Permanent" };
    case "email.complained":
      return { kind: "complained" };
    case "email.failed":
    case "email.suppressed":
      return { kind: "failed" };
    case "email.opened":
      return { kind: "opened" };
    case "email.clicked":
      return { kind: "clicked" };
    default:
      return undefined;
  }
}
