import { verify } from "node:crypto";
import { badField, parseJson } from "../../platform/http/index.ts";
import { ecPublicKey } from "../providers/protocol/keys.ts";
import {
  type CallbackEvent,
  type CallbackReader,
  type CallbackRequest,
  checkAge,
  type Fields,
  fieldsOf,
  listOf,
  notConfigured,
  textOf,
  timeOf,
  unverified,
} from "./callback.ts";
import { headerOf } from "./signed.ts";
import { deliveryOf } from "../feedback/reference.ts";

/** SendGrid repeats a call for 24 hours. */
const LONGEST_S = 25 * 3_600;

/** Twilio SendGrid, "Event Webhook Security Features" and "Event Webhook Reference": lists of events, signed with ECDSA. */
export const sendgrid: CallbackReader<"sendgrid"> = (received, { credentials }) => {
  const key = ecPublicKey(credentials.webhook_public_key ?? "");
  if (key === undefined) throw notConfigured("credentials.webhook_public_key");
  const signature = headerOf(received, "x-twilio-email-event-webhook-signature") ?? "";
  const timestamp = headerOf(received, "x-twilio-email-event-webhook-timestamp") ?? "";
  const signed = Buffer.concat([Buffer.from(timestamp), received.raw]);
  if (!verify("sha256", signed, key, Buffer.from(signature, "base64"))) throw unverified();
  checkAge(received, timestamp, LONGEST_S);
  const events = parseJson(received.raw);
  if (!Array.isArray(events)) throw badField("", "must be a list of events");
  return { items: listOf(events).flatMap((event) => read(fieldsOf(event), received)) };
};

function read(event: Fields, { now }: CallbackRequest): CallbackEvent[] {
  const delivery = deliveryOf(event.delivery_id);
  const what = meaning(event);
  if (!delivery || !what) return [];
  const link = textOf(event.url);
  return [
    {
      ...delivery,
      at: timeOf(event.timestamp, now),
      recipient: textOf(event.email),
      reason: textOf(event.reason) ?? textOf(event.response),
      eventId: textOf(event.sg_event_id),
      ...(link !== undefined && { data: { link } }),
      ...what,
    },
  ];
}

function meaning(event: Fields): Pick<CallbackEvent, "kind" | "permanent" | "machine"> | undefined {
  switch (event.event) {
    case "delivered":
      return { kind: "delivered" };
    // "blocked": the message was refused, and the address is fine.
    case "bounce":
      return { kind: "bounced", permanent: event.type !== "blocked" };
    case "dropped":
      return { kind: "failed" };
    case "spamreport":
      return { kind: "complained" };
    case "open":
      return { kind: "opened", machine: event.sg_machine_open === true };
    case "click":
      return { kind: "clicked" };
    case "unsubscribe":
    case "group_unsubscribe":
      return { kind: "unsubscribed" };
    default:
      return undefined;
  }
}
