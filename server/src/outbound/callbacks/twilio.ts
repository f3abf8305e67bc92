import { createHmac } from "node:crypto";
import {
  type CallbackContents,
  type CallbackEvent,
  type CallbackReader,
  type CallbackRequest,
  type Keyword,
  unverified,
} from "./callback.ts";
import { equal, headerOf } from "./signed.ts";
import { deliveryOf } from "../feedback/reference.ts";

/** Twilio, "Outbound Message Status Callbacks", "Twilio's Request to your Incoming Message Webhook URL" and "Advanced Opt-Out". */
export const twilio: CallbackReader<"twilio"> = (received, { credentials }): CallbackContents => {
  const form = new URLSearchParams(received.raw.toString("utf8"));
  const signature = headerOf(received, "x-twilio-signature") ?? "";
  const holds = (url: string) => equal(signature, signatureOf(url, form, credentials.auth_token));
  // Twilio signs the address with the standard port or without it, depending on where the address was configured.
  if (![received.url, withPort(received.url)].some(holds)) throw unverified();
  if (form.has("MessageStatus")) return { items: status(received, form) };
  return { items: [], keywords: keywordsIn(form), signature };
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

/** "Error and Warning Dictionary": the codes of a dead number. */
const DEAD = new Set(["21211", "21214", "21217", "21614", "30005", "30006"]);

function status({ delivery: reference, now }: CallbackRequest, form: URLSearchParams): CallbackEvent[] {
  const delivery = deliveryOf(reference);
  const state = form.get("MessageStatus");
  const code = form.get("ErrorCode") ?? "";
  if (!delivery) return [];
  const reason = [code, form.get("ErrorMessage")].filter(Boolean).join(" ");
  const item = { ...delivery, at: now, ...(reason !== "" && { reason }) };
  // Some channels report "read": a message that was read was delivered.
  if (state === "delivered" || state === "read") return [{ ...item, kind: "delivered" }];
  if (state !== "undelivered" && state !== "failed") return [];
  // Both are final; other codes do not mean that the number is dead.
  return [DEAD.has(code) ? { ...item, kind: "bounced", permanent: true } : { ...item, kind: "failed" }];
}

/** Twilio's default keywords. YES counts as START only where Twilio itself reports so, because it answers many questions. */
const STOP = new Set(["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"]);
const START = new Set(["START", "UNSTOP"]);

function keywordsIn(form: URLSearchParams): Keyword[] {
  const number = form.get("From") ?? "";
  if (!/^\+\d{6,15}$/.test(number)) return [];
  const text = (form.get("OptOutType") ?? form.get("Body") ?? "").trim().toUpperCase();
  if (STOP.has(text)) return [{ number, stop: true }];
  return START.has(text) ? [{ number, stop: false }] : [];
}
