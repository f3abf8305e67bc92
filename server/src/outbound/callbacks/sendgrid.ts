import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { badField, parseJson } from "../../platform/http/index.ts";
import {
  deliveryOf,
  type Fields,
  fieldsOf,
  listOf,
  notConfigured,
  type Reader,
  type Received,
  type Said,
  textOf,
  timeOf,
  unverified,
} from "./callback.ts";
import { headerOf } from "./signed.ts";

/** Twilio SendGrid, "Event Webhook Security Features" and "Event Webhook Reference": lists of events, signed with ECDSA. */
export const sendgrid: Reader<"sendgrid"> = (received, { credentials }) => {
  const key = credentials.webhook_public_key;
  if (key === undefined) throw notConfigured("credentials.webhook_public_key");
  const signature = headerOf(received, "x-twilio-email-event-webhook-signature") ?? "";
  const timestamp = headerOf(received, "x-twilio-email-event-webhook-timestamp") ?? "";
  const signed = Buffer.concat([Buffer.from(timestamp), received.raw]);
  if (!verify("sha256", signed, keyOf(key), Buffer.from(signature, "base64"))) throw unverified();
  const events = parseJson(received.raw);
  if (!Array.isArray(events)) throw badField("", "must be a list of events");
  return { items: listOf(events).flatMap((event) => read(fieldsOf(event), received)) };
};

/** The key as SendGrid shows it: SPKI in base64, with or without the lines of PEM. */
function keyOf(text: string): KeyObject {
  try {
    const base64 = text.replaceAll(/-----[A-Z ]+-----|\s/g, "");
    const key = createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
    if (key.asymmetricKeyType === "ec") return key;
  } catch {
    // Said below.
  }
  throw notConfigured("credentials.webhook_public_key (what is set is no such key)");
}

function read(event: Fields, { now }: Received): Said[] {
  const deliveryId = deliveryOf(event.delivery_id);
  const what = meaning(event);
  if (!deliveryId || !what) return [];
  const link = textOf(event.url);
  return [
    {
      deliveryId,
      at: timeOf(event.timestamp, now),
      recipient: textOf(event.email),
      reason: textOf(event.reason) ?? textOf(event.response),
      eventId: textOf(event.sg_event_id),
      ...(link !== undefined && { data: { link } }),
      ...what,
    },
  ];
}

function meaning(event: Fields): Pick<Said, "kind" | "permanent" | "machine"> | undefined {
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
