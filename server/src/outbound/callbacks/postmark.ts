import { parseJson } from "../../platform/http/index.ts";
import {
  type CallbackEvent,
  type CallbackReader,
  type Fields,
  fieldsOf,
  notConfigured,
  textOf,
  timeOf,
  unverified,
} from "./callback.ts";
import { equal, headerOf } from "./signed.ts";
import { deliveryOf } from "../feedback/reference.ts";

/** Postmark, "Webhooks": one event a call, with the password in the address as Basic authentication. */
export const postmark: CallbackReader<"postmark"> = (received, { credentials }) => {
  const password = credentials.webhook_password;
  if (password === undefined) throw notConfigured("credentials.webhook_password");
  const [, basic = ""] = /^basic +(.*)$/i.exec(headerOf(received, "authorization") ?? "") ?? [];
  const pair = Buffer.from(basic, "base64").toString("utf8");
  if (!equal(pair.slice(pair.indexOf(":") + 1), password)) throw unverified("its password is wrong");
  const event = fieldsOf(parseJson(received.raw));
  const delivery = deliveryOf(fieldsOf(event.Metadata).delivery_id);
  const what = meaning(event);
  if (!delivery || !what) return { items: [] };
  const at = event.DeliveredAt ?? event.BouncedAt ?? event.ReceivedAt ?? event.ChangedAt;
  const link = textOf(event.OriginalLink);
  const item: CallbackEvent = {
    ...delivery,
    at: timeOf(at, received.now),
    recipient: textOf(event.Recipient) ?? textOf(event.Email),
    reason: textOf(event.Description),
    eventId: `${String(event.MessageID)} ${String(at)}`,
    ...(link !== undefined && { data: { link } }),
    ...what,
  };
  return { items: [item] };
};

/** "Bounce types" of a dead address. All others may pass. */
const DEAD = new Set(["HardBounce", "BadEmailAddress"]);

function meaning(event: Fields): Pick<CallbackEvent, "kind" | "permanent"> | undefined {
  switch (event.RecordType) {
    case "Delivery":
      return { kind: "delivered" };
    case "Bounce":
      return { kind: "bounced", permanent: DEAD.has(String(event.Type)) };
    case "SpamComplaint":
      return { kind: "complained" };
    case "Open":
      return { kind: "opened" };
    case "Click":
      return { kind: "clicked" };
    case "SubscriptionChange":
      // Bounces and complaints have events of their own, and an operator who turned an address off there is not the recipient.
      return event.SuppressSending === true &&
        event.SuppressionReason === "ManualSuppression" &&
        event.Origin === "Recipient"
        ? { kind: "unsubscribed" }
        : undefined;
    default:
      return undefined;
  }
}
