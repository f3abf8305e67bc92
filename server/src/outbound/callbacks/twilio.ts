import { createHmac } from "node:crypto";
import {
  deliveryOf,
  type Reader,
  type Received,
  type CallbackEvent,
  type CallbackContents,
  unverified,
  type Word,
} from "./callback.ts";
import { equal, headerOf } from "./signed.ts";

/** Twilio, "Outbound Message Status Callbacks", "Twilio's Request to your Incoming Message Webhook URL" and "Advanced Opt-Out". */
export const twilio: Reader<"twilio"> = (received, { credentials }): CallbackContents => {
  const form = new URLSearchParams(received.raw.toString("utf8"));
  const signature = headerOf(received, "x-twilio-signature") ?? "";
  const holds = (url: string) => equal(signature, signatureOf(url, form, credentials.auth_token));
  // Twilio signs the address with the standard port or without it, depending on where it was set.
  if (![received.url, withPort(received.url)].some(holds)) throw unverified();
  if (form.has("MessageStatus")) return { items: status(received, form) };
  return { items: [], words: word(form), signature };
};

/** "Validating Signatures": the address, then each parameter's name and value in the order of the names. */
function signatureOf(url: string, form: URLSearchParams, token: string): string {
  const sorted = [...form].map(([name, value]) => name + value);
  const names = [...form.keys()];
  const order = sorted.map((_, i) => i).sort((a, b) => ((names[a] as string) < (names[b] as string) ? -1 : 1));
  const text = order.map((i) => sorted[i]).join("");
  return createHmac("sha1", token)
    .update(Buffer.from(url + text, "utf8"))
    .digest("base64");
}

function withPort(text: string): string {
  const [, scheme = "", host = "", rest = ""] = /^(https?):\/\/([^/]*)(.*)$/.exec(text) ?? [];
  return `${scheme}://${host}:${scheme === "https" ? 443 : 80}${rest}`;
}

/** "Error and Warning Dictionary": codes that say that the number is dead. */
const DEAD = new Set(["21211", "21214", "21217", "21614", "30005", "30006"]);

function status({ delivery, now }: Received, form: URLSearchParams): CallbackEvent[] {
  const deliveryId = deliveryOf(delivery);
  const state = form.get("MessageStatus");
  const code = form.get("ErrorCode") ?? "";
  if (!deliveryId) return [];
  const words = [code, form.get("ErrorMessage")].filter(Boolean).join(" ");
  const item = { deliveryId, at: now, ...(words !== "" && { reason: words }) };
  // "read" is of channels that tell so; whoever has read it has got it.
  if (state === "delivered" || state === "read") return [{ ...item, kind: "delivered" }];
  if (state !== "undelivered" && state !== "failed") return [];
  // Both are final; other codes say nothing of the number.
  return [DEAD.has(code) ? { ...item, kind: "bounced", permanent: true } : { ...item, kind: "failed" }];
}

/** Twilio's default keywords. YES starts only where Twilio itself says so: it answers many a question. */
const STOP = new Set(["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"]);
const START = new Set(["START", "UNSTOP"]);

function word(form: URLSearchParams): Word[] {
  const number = form.get("From") ?? "";
  if (!/^\+\d{6,15}$/.test(number)) return [];
  const said = (form.get("OptOutType") ?? form.get("Body") ?? "").trim().toUpperCase();
  if (STOP.has(said)) return [{ number, stop: true }];
  return START.has(said) ? [{ number, stop: false }] : [];
}
