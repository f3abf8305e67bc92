import { createHmac, randomBytes } from "node:crypto";
import type { Seal } from "./seal.ts";

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

/** A signing secret at rest, sealed, with the one before it, which also signs until a time. */
export interface SealedSecrets {
  secret: string;
  previous_secret: string | null;
  previous_until: Date | null;
}

/** Makes a secret. @param purpose the purpose for which it is sealed, so that a copy elsewhere can't be opened */
export function newSealedSecret({ seal }: { seal: Seal }, purpose: string): { secret: string; sealed: string } {
  const secret = newSecret();
  return { secret, sealed: seal.seal(secret, purpose) };
}

/** Returns the secrets that sign now, the newest first: during a rotation there are two. */
export function liveSecrets(
  { seal }: { seal: Seal },
  { secret, previous_secret, previous_until }: SealedSecrets,
  { purpose, now }: { purpose: string; now: Date },
): string[] {
  const overlaps = previous_secret !== null && previous_until !== null && previous_until > now;
  return [secret, ...(overlaps ? [previous_secret] : [])].map((text) => seal.open(text, purpose));
}

const HOUR_MS = 3_600_000;

/** Returns until when the previous secret signs beside the new one. */
export const overlapEnd = (now: Date, overlapHours = 24): Date => new Date(now.getTime() + overlapHours * HOUR_MS);
