import { createHash, createHmac } from "node:crypto";
import { jwtVerify } from "jose";
import { parseJson } from "../../platform/http/index.ts";
import {
  deliveryOf,
  type Fields,
  fieldsOf,
  notConfigured,
  type Reader,
  type Received,
  type Said,
  textOf,
  timeOf,
  unverified,
} from "./callback.ts";
import { equal, headerOf } from "./signed.ts";

/** Vonage, "SMS API: delivery receipts, inbound" and "Signing Messages"; set to SHA-256 HMAC. By POST, and by GET as accounts are at first. */
export const vonage: Reader<"vonage"> = async (received, { credentials }) => {
  const secret = credentials.signature_secret;
  if (secret === undefined) throw notConfigured("credentials.signature_secret");
  // A token is over the body alone: nobody has signed what stands in an address.
  const token = received.byGet ? undefined : /^bearer +(.+)$/i.exec(headerOf(received, "authorization") ?? "")?.[1];
  if (token !== undefined) await verifyToken(received, token, secret);
  const form = formOf(received);
  if (token === undefined && !equal(String(form.sig).toLowerCase(), signatureOf(form, secret))) throw unverified();
  if (form.status === undefined) return { items: [], words: word(form) };
  return { items: receipt(form, received) };
};

function formOf({ headers, raw, byGet, url }: Received): Fields {
  if (byGet) return Object.fromEntries(new URL(url).searchParams);
  if (/json/.test(headers["content-type"] ?? "")) return fieldsOf(parseJson(raw));
  return Object.fromEntries(new URLSearchParams(raw.toString("utf8")));
}

/** "Manually generate a signature": all parameters but `sig`, sorted, `&` and `=` of the values as `_`. */
function signatureOf(form: Fields, secret: string): string {
  const text = Object.keys(form)
    .filter((name) => name !== "sig")
    .sort()
    .map((name) => `&${name}=${String(form[name]).replaceAll(/[&=]/g, "_")}`)
    .join("");
  return createHmac("sha256", secret).update(text).digest("hex");
}

/** "Signed webhooks": a JWT over the body's hash, which Vonage's newer services send instead of `sig`. */
async function verifyToken({ raw, now }: Received, token: string, secret: string): Promise<void> {
  const options = { algorithms: ["HS256"], currentDate: now };
  const { payload } = await jwtVerify(token, Buffer.from(secret), options).catch(() => {
    throw unverified();
  });
  const hash = createHash("sha256").update(raw).digest("hex");
  if (!equal(String(payload.payload_hash), hash)) throw unverified("its body is not the one that was signed");
}

/** "Delivery receipt error codes" that say that the number is dead: absent for good, illegal. */
const DEAD = new Set(["3", "9"]);

function receipt(form: Fields, { now }: Received): Said[] {
  const deliveryId = deliveryOf(form["client-ref"]);
  const code = String(form["err-code"] ?? "");
  if (!deliveryId) return [];
  const zoneless = textOf(form["message-timestamp"]);
  const item = { deliveryId, at: timeOf(zoneless && `${zoneless.replace(" ", "T")}Z`, now) };
  if (form.status === "delivered") return [{ ...item, kind: "delivered" }];
  if (!["expired", "failed", "rejected"].includes(String(form.status))) return [];
  const reason = `${form.status}, err-code ${code}`;
  return [DEAD.has(code) ? { ...item, reason, kind: "bounced", permanent: true } : { ...item, reason, kind: "failed" }];
}

/** The words that carriers hold for an end and a beginning. */
const WORDS: Record<string, boolean> = {
  STOP: true,
  STOPALL: true,
  UNSUBSCRIBE: true,
  CANCEL: true,
  END: true,
  QUIT: true,
  START: false,
  UNSTOP: false,
};

function word(form: Fields): { number: string; stop: boolean }[] {
  const digits = String(form.msisdn ?? "").replace(/^\+/, "");
  const said = String(form.text ?? "")
    .trim()
    .toUpperCase();
  const stop = Object.hasOwn(WORDS, said) ? WORDS[said] : undefined;
  return stop === undefined || !/^\d{6,15}$/.test(digits) ? [] : [{ number: `+${digits}`, stop }];
}
