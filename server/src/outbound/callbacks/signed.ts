import { timingSafeEqual } from "node:crypto";
import { signatureOf } from "../../platform/standard-webhooks.ts";
import { type CallbackRequest, checkAge, unverified } from "./callback.ts";

/** Compares in constant time; texts of unequal length are unequal. */
export function equal(a: string | Buffer, b: string | Buffer): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export const headerOf = ({ headers }: CallbackRequest, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
};

/** Standard Webhooks 1.0: an older call may be a copy that somebody else made. Each repeat is signed anew. */
const TOLERANCE_S = 300;

/**
 * Verifies a call by Standard Webhooks 1.0 ("Signature scheme"), whose headers Svix also calls svix-*. Returns its id and signature.
 * @param secret `whsec_` and base64 @throws Problem callback_unverified
 */
export function standardWebhook(received: CallbackRequest, secret: string): { id: string; signature: string } {
  const of = (name: string) => headerOf(received, `webhook-${name}`) ?? headerOf(received, `svix-${name}`) ?? "";
  const [id, timestamp, signatures] = [of("id"), of("timestamp"), of("signature")];
  const expected = signatureOf(secret, id, timestamp, received.raw);
  const isValid = signatures.split(" ").some((one) => equal(one, expected));
  if (!isValid || id === "") throw unverified();
  checkAge(received, timestamp, TOLERANCE_S);
  return { id, signature: expected };
}
