import { badField, parseJson } from "../../platform/http/index.ts";
import {
  type CallbackEvent,
  type CallbackReader,
  type CallbackRequest,
  type Fields,
  fieldsOf,
  type Keyword,
  notConfigured,
  textOf,
  timeIn,
  timeOf,
} from "./callback.ts";
import { standardWebhook } from "./signed.ts";
import { deliveryOf } from "../feedback/reference.ts";

/** The operator's own gateway, see docs/providers.md: `{"events": [...]}`, signed as a Standard Webhook. */
export const http: CallbackReader<"http"> = (received, { credentials }) => {
  const secret = credentials.signing_secret;
  if (secret === undefined) throw notConfigured("credentials.signing_secret");
  const { signature } = standardWebhook(received, secret);
  const { events } = fieldsOf(parseJson(received.raw));
  // The operator writes the other side, and needs to know of a mistake.
  if (!Array.isArray(events)) throw badField("/events", "must be a list of events");
  const all = events.map(fieldsOf);
  return { items: all.flatMap((event) => read(event, received)), keywords: all.flatMap(keywordIn), signature };
};

function read(event: Fields, { now }: CallbackRequest): CallbackEvent[] {
  const delivery = deliveryOf(event.id);
  const { type } = event;
  if (!delivery || (type !== "delivered" && type !== "failed" && type !== "bounced")) return [];
  const permanent = type === "bounced" && event.permanent === true;
  return [{ ...delivery, kind: type, permanent, at: timeOf(event.at, now), reason: textOf(event.reason) }];
}

function keywordIn({ type, number, at }: Fields): Keyword[] {
  if (type !== "stop" && type !== "start") return [];
  return typeof number === "string" && /^\+\d{6,15}$/.test(number)
    ? [{ number, stop: type === "stop", at: timeIn(at) }]
    : [];
}
