import { badField, parseJson } from "../../platform/http/index.ts";
import {
  deliveryOf,
  type Fields,
  fieldsOf,
  momentOf,
  notConfigured,
  type Reader,
  type Received,
  type CallbackEvent,
  textOf,
  timeOf,
  type Word,
} from "./callback.ts";
import { standardWebhook } from "./signed.ts";

/** A gateway of one's own, see docs/providers.md: `{"events": [...]}`, signed as a Standard Webhook. */
export const http: Reader<"http"> = (received, { credentials }) => {
  const secret = credentials.signing_secret;
  if (secret === undefined) throw notConfigured("credentials.signing_secret");
  const { signature } = standardWebhook(received, secret);
  const { events } = fieldsOf(parseJson(received.raw));
  // Here somebody writes the other side, and wants to know.
  if (!Array.isArray(events)) throw badField("/events", "must be a list of events");
  const all = events.map(fieldsOf);
  return { items: all.flatMap((event) => read(event, received)), words: all.flatMap(word), signature };
};

function read(event: Fields, { now }: Received): CallbackEvent[] {
  const deliveryId = deliveryOf(event.id);
  const { type } = event;
  if (!deliveryId || (type !== "delivered" && type !== "failed" && type !== "bounced")) return [];
  const permanent = type === "bounced" && event.permanent === true;
  return [{ deliveryId, kind: type, permanent, at: timeOf(event.at, now), reason: textOf(event.reason) }];
}

function word({ type, number, at }: Fields): Word[] {
  if (type !== "stop" && type !== "start") return [];
  return typeof number === "string" && /^\+\d{6,15}$/.test(number)
    ? [{ number, stop: type === "stop", at: momentOf(at) }]
    : [];
}
