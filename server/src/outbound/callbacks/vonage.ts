import { createHash, createHmac } from "node:crypto";
import { jwtVerify } from "jose";
import { parseJson } from "../../platform/http/index.ts";
import {
  type CallbackEvent,
  type CallbackReader,
  type CallbackRequest,
  checkAge,
  type Fields,
  fieldsOf,
  type Keyword,
  notConfigured,
  textOf,
  timeIn,
  unverified,
} from "./callback.ts";
import { equal, headerOf } from "./signed.ts";
import { deliveryOf } from "../feedback/reference.ts";

/** Vonage repeats a call for 24 hours. */
const LONGEST_S = 25 * 3_600;

/** Vonage, "SMS API: delivery receipts, inbound" and "Signing Messages", set to SHA-256 HMAC. New accounts call by GET, others by POST. */
export const vonage: CallbackReader<"vonage"> = async (received, { credentials }) => {
  const secret = credentials.signature_secret;
  if (secret === undefined) throw notConfigured("credentials.signature_secret");
  // A token covers only the body: nobody has signed the parameters in an address.
  const token = received.byGet ? undefined : /^bearer +(.+)$/i.exec(headerOf(received, "authorization") ?? "")?.[1];
  if (token !== undefined) await verifyToken(received, token, secret);
  const form = formOf(received);
  if (token === undefined && !equal(String(form.sig).toLowerCase(), signatureOf(form, secret))) throw unverified();
  // A call with `sig` may have a time; some accounts send none.
  if (token === undefined && form.timestamp !== undefined) checkAge(received, String(form.timestamp), LONGEST_S);
  if (form.status === undefined) return { items: [], keywords: keywordsIn(form), signature: token ?? String(form.sig) };
  return { items: receipt(form, received) };
};

function formOf({ headers, raw, byGet, url }: CallbackRequest): Fields {
  if (byGet) return Object.fromEntries(new URL(url).searchParams);
  if (/json/.test(headers["content-type"] ?? "")) return fieldsOf(parseJson(raw));
  return Object.fromEntries(new URLSearchParams(raw.toString("utf8")));
}

/** "Manually generate a signature": all parameters except `sig`, sorted; `&` and `=` in values become `_`. */
function signatureOf(form: Fields, secret: string): string {
  const text = Object.keys(form)
    .filter((name) => name !== "sig")
    .sort()
    .map((name) => `&${name}=${String(form[name]).replaceAll(/[&=]/g, "_")}`)
    .join("");
  return createHmac("sha256", secret).update(text).digest("hex");
}

/** "Signed webhooks": a JWT with the hash of the body, which Vonage's newer services send instead of `sig`. */
async function verifyToken({ raw, now }: CallbackRequest, token: string, secret: string): Promise<void> {
  const options = { algorithms: ["HS256"], currentDate: now };
  const { payload } = await jwtVerify(token, Buffer.from(secret), options).catch(() => {
    throw unverified();
  });
  const hash = createHash("sha256").update(raw).digest("hex");
  if (!equal(String(payload.payload_hash), hash)) throw unverified("its body is not the one that was signed");
  if (payload.iat !== undefined) checkAge({ now }, payload.iat, LONGEST_S);
}

/** "Delivery receipt error codes" of a dead number: absent for good, illegal. */
const DEAD = new Set(["3", "9"]);

function receipt(form: Fields, { now }: CallbackRequest): CallbackEvent[] {
  const delivery = deliveryOf(form["client-ref"]);
  const code = String(form["err-code"] ?? "");
  if (!delivery) return [];
  const item = { ...delivery, at: sentAt(form) ?? now };
  if (form.status === "delivered") return [{ ...item, kind: "delivered" }];
  if (!["expired", "failed", "rejected"].includes(String(form.status))) return [];
  const reason = `${form.status}, err-code ${code}`;
  return [DEAD.has(code) ? { ...item, reason, kind: "bounced", permanent: true } : { ...item, reason, kind: "failed" }];
}

/** Reads the time, which is in UTC and has no zone. */
function sentAt(form: Fields): Date | undefined {
  const zoneless = textOf(form["message-timestamp"]);
  return zoneless === undefined ? undefined : timeIn(`${zoneless.replace(" ", "T")}Z`);
}

/** The keywords by which carriers stop (true) and start (false) messages. */
const KEYWORDS: Record<string, boolean> = {
  STOP: true,
  STOPALL: true,
  UNSUBSCRIBE: true,
  CANCEL: true,
  END: true,
  QUIT: true,
  START: false,
  UNSTOP: false,
};

function keywordsIn(form: Fields): Keyword[] {
  const digits = String(form.msisdn ?? "").replace(/^\+/, "");
  const text = String(form.text ?? "")
    .trim()
    .toUpperCase();
  const stop = Object.hasOwn(KEYWORDS, text) ? KEYWORDS[text] : undefined;
  return stop === undefined || !/^\d{6,15}$/.test(digits) ? [] : [{ number: `+${digits}`, stop, at: sentAt(form) }];
}
