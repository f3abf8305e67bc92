import { createHmac, randomBytes } from "node:crypto";

// Standard Webhooks 1.0, "Verifying webhook authenticity". It signs our own webhooks, our calls to a customer's own gateway, and the
// callbacks of such a gateway and of Resend.

const PREFIX = "whsec_";

/** Returns the bytes of a secret that is written as `whsec_` and base64. */
export const secretBytes = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ""), "base64");

/** Returns one signature as the header carries it. `id` and `timestamp` are the exact values of the other two headers. */
export const signatureOf = (secret: string, id: string, timestamp: string, body: string | Buffer): string =>
  `v1,${createHmac("sha256", secretBytes(secret)).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;

/** Returns a fresh secret of 256 bits, in the form that the libraries of Standard Webhooks take. */
export const newSecret = (): string => PREFIX + randomBytes(32).toString("base64");

/**
 * Returns the three headers of one attempt. `webhook-id` is the same for each attempt, the timestamp is that of the attempt, and each
 * secret that is valid now has one signature.
 */
export function signed(id: string, body: string, secrets: string[], now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map((secret) => signatureOf(secret, id, timestamp, body));
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
