import { createHmac } from "node:crypto";
import { parseJson } from "../../platform/http/index.ts";
import {
  type CallbackEvent,
  type CallbackReader,
  checkAge,
  type Fields,
  fieldsOf,
  notConfigured,
  textOf,
  timeOf,
  unverified,
} from "./callback.ts";
import { equal } from "./signed.ts";
import { deliveryOf } from "../feedback/reference.ts";

/** Mailgun repeats a call for 8 hours. The signature does not cover the event, so an older call is refused. */
const LONGEST_S = 9 * 3_600;

/** Mailgun, "Webhooks": one event a call, with HMAC-SHA256 over timestamp and token. */
export const mailgun: CallbackReader<"mailgun"> = (received, { credentials }) => {
  const key = credentials.webhook_signing_key;
  if (key === undefined) throw notConfigured("credentials.webhook_signing_key");
  const body = fieldsOf(parseJson(received.raw));
  const { timestamp, token, signature } = fieldsOf(body.signature);
  const expected = createHmac("sha256", key)
    .update(`${String(timestamp)}${String(token)}`)
    .digest("hex");
  if (!equal(String(signature), expected)) throw unverified();
  checkAge(received, String(timestamp), LONGEST_S);
  const event = fieldsOf(body["event-data"]);
  const delivery = deliveryOf(fieldsOf(event["user-variables"]).delivery_id);
  const what = meaning(event);
  if (!delivery || !what) return { items: [] };
  const status = fieldsOf(event["delivery-status"]);
  const link = textOf(event.url);
  const item: CallbackEvent = {
    ...delivery,
    at: timeOf(event.timestamp, received.now),
    recipient: textOf(event.recipient),
    reason: textOf(status.message) ?? textOf(status.description) ?? textOf(event.reason),
    eventId: textOf(event.id),
    ...(link !== undefined && { data: { link } }),
    ...what,
  };
  return { items: [item] };
};

function meaning(event: Fields): Pick<CallbackEvent, "kind" | "permanent" | "machine"> | undefined {
  // "client-info.bot": apple, gmail and others whose proxies fetch every message.
  const machine = textOf(fieldsOf(event["client-info"]).bot) !== undefined;
  switch (event.event) {
    case "delivered":
      return { kind: "delivered" };
    case "failed":
      if (event.severity !== "permanent") return { kind: "bounced", permanent: false };
      // "old": it gave up after 8 hours. "suppress-complaint" and "suppress-unsubscribe" do not mean that the address is dead.
      return ["bounce", "suppress-bounce", "generic"].includes(String(event.reason))
        ? { kind: "bounced", permanent: true }
        : { kind: "failed" };
    case "rejected":
      return { kind: "failed" };
    case "complained":
      return { kind: "complained" };
    case "opened":
      return { kind: "opened", machine };
    case "clicked":
      return { kind: "clicked", machine };
    case "unsubscribed":
      return { kind: "unsubscribed" };
    default:
      return undefined;
  }
}
