import { type KeyObject, verify, X509Certificate } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Problem } from "../../platform/http/index.ts";
import type { FetchOut } from "../../platform/outbound-http/index.ts";
import { type Fields, textOf, unverified } from "./callback.ts";

/** Whether only Amazon can serve a certificate, or confirm a subscription, at this address. */
export function isAmazons(text: string | undefined): text is string {
  if (text === undefined || !URL.canParse(text)) return false;
  const { protocol, hostname, port, username } = new URL(text);
  // It must be a region, such as us-east-1 or us-gov-west-1: `sns.s3-us-west-2` is a bucket that anybody may have called `sns`.
  const host = /^sns\.[a-z]{2}(-[a-z]{2,20}){1,3}-\d{1,2}\.amazonaws\.com(\.cn)?$/.test(hostname);
  return protocol === "https:" && host && port === "" && username === "";
}

/** The signed fields, in this order: "Verifying the signatures of Amazon SNS messages". */
const SIGNED: Record<string, string[]> = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
};
SIGNED.UnsubscribeConfirmation = SIGNED.SubscriptionConfirmation as string[];

const CERTIFICATE = /^\/SimpleNotificationService-[A-Za-z0-9]{1,100}\.pem$/;

/** Certificates by address. Amazon changes them about once a year; strangers can't add any, see isAmazons. */
const certificates = new LRUCache<string, KeyObject>({ max: 100 });

/** Verifies the signature of a message. @throws Problem callback_unverified, unavailable while the certificate can't be fetched */
export async function verifySns(envelope: Fields, fetchOut: FetchOut): Promise<void> {
  const url = textOf(envelope.SigningCertURL);
  const type = String(envelope.Type);
  const fields = Object.hasOwn(SIGNED, type) ? SIGNED[type] : undefined;
  if (!fields || !isAmazons(url) || !CERTIFICATE.test(new URL(url).pathname))
    throw unverified("its certificate is not Amazon's");
  const { SignatureVersion: version } = envelope;
  const algorithm = version === "1" ? "sha1" : version === "2" ? "sha256" : undefined;
  const text = fields
    .map((name) => (typeof envelope[name] === "string" ? `${name}\n${envelope[name]}\n` : ""))
    .join("");
  const signature = Buffer.from(String(envelope.Signature), "base64");
  const key = await keyAt(url, fetchOut);
  if (algorithm === undefined || !verify(algorithm, Buffer.from(text), key, signature)) throw unverified();
}

async function keyAt(url: string, fetchOut: FetchOut): Promise<KeyObject> {
  const known = certificates.get(url);
  if (known) return known;
  let key: KeyObject;
  try {
    const { status, body } = await fetchOut(url, { maxBytes: 64 * 1024 });
    if (status !== 200) throw new Error(`status ${status}`);
    key = new X509Certificate(body).publicKey;
  } catch (cause) {
    throw new Problem("unavailable", "The certificate of the callback can't be fetched now.", { cause });
  }
  certificates.set(url, key);
  return key;
}

/** Confirms a subscription, as SNS asks for. @throws Problem callback_unverified, unavailable */
export async function confirm(envelope: Fields, fetchOut: FetchOut): Promise<void> {
  const url = textOf(envelope.SubscribeURL);
  if (!isAmazons(url)) throw unverified("its SubscribeURL is not Amazon's");
  const answer = await fetchOut(url, { cut: true }).catch((cause: unknown) => {
    throw new Problem("unavailable", "Amazon SNS does not answer now.", { cause });
  });
  if (answer.status >= 300)
    throw new Problem("unavailable", `Amazon SNS answered ${answer.status} to the confirmation.`);
}
