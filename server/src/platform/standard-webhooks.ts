import { createHmac, randomBytes } from "node:crypto";

// Standard Webhooks 1.0, "Verifying webhook authenticity": our own webhooks, calls to a gateway of one's own, and what such a
// gateway and Resend call back.

const PREFIX = "whsec_";

/** The bytes of a secret, written as `whsec_` and base64. */
export const secretBytes = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ""), "base64");

/** One signature as the header carries it. `id` and `timestamp` are the other two headers, word for word. */
export const signatureOf = (secret: string, id: string, timestamp: string, body: string | Buffer): string =>
  `v1,${createHmac("sha256", secretBytes(secret)).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;

/** A fresh secret: 256 bits, as the libraries of Standard Webhooks take it. */
export const newSecret = (): string => PREFIX + randomBytes(32).toString("base64");

/**
 * The three headers of one attempt. `webhook-id` is the same on each
 * attempt, the timestamp is that of the attempt, and there is one signature for each secret that counts now.
 */
export function signed(id: string, body: string, secrets: string[], now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map((secret) => signatureOf(secret, id, timestamp, body));
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
