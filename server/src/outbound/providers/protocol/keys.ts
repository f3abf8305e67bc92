import { createECDH, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { ProviderKind } from "@tidings/contract/messages/providers";
import { secretBytes } from "../../../platform/standard-webhooks.ts";

/** A signing key that is shorter can be tried out; 128 bits are what all providers give at least. */
const SHORTEST_KEY = 16;
/** One that people make up themselves, and that Vonage shows as such. */
const SHORTEST_PASSWORD = 8;

const standard = (secret: string) => secretBytes(secret).length >= SHORTEST_KEY;
const long = (secret: string) => Buffer.byteLength(secret.trim()) >= SHORTEST_PASSWORD;

/** The credential of each kind that its callbacks prove themselves by, and whether it can prove anything. */
const signing: { [K in ProviderKind]?: { name: string; holds(secret: string): boolean; must: string } } = {
  http: { name: "signing_secret", holds: standard, must: `whsec_ and at least ${SHORTEST_KEY} bytes in base64` },
  resend: { name: "webhook_secret", holds: standard, must: `whsec_ and at least ${SHORTEST_KEY} bytes in base64` },
  postmark: { name: "webhook_password", holds: long, must: `at least ${SHORTEST_PASSWORD} characters long` },
  mailgun: { name: "webhook_signing_key", holds: long, must: `at least ${SHORTEST_PASSWORD} characters long` },
  vonage: { name: "signature_secret", holds: long, must: `at least ${SHORTEST_PASSWORD} characters long` },
  twilio: { name: "auth_token", holds: long, must: `at least ${SHORTEST_PASSWORD} characters long` },
  sendgrid: {
    name: "webhook_public_key",
    holds: (key) => ecPublicKey(key) !== undefined,
    must: "the verification key as SendGrid shows it",
  },
};

/** What is wrong with the key by which callbacks of this kind prove themselves, where it is given. Undefined: nothing. */
export function weakKey(kind: ProviderKind, credentials: object): { name: string; must: string } | undefined {
  const key = signing[kind];
  const given = key && (credentials as Record<string, unknown>)[key.name];
  return key && typeof given === "string" && !key.holds(given) ? key : undefined;
}

/** A public key on an elliptic curve, SPKI in base64, with or without the lines of PEM. */
export function ecPublicKey(text: string): KeyObject | undefined {
  try {
    const base64 = text.replaceAll(/-----[A-Z ]+-----|\s/g, "");
    const key = createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyType === "ec" ? key : undefined;
  } catch {
    return undefined;
  }
}

const CURVE = "prime256v1";

/** A private key in PEM, also as it stands in a JSON file with its line breaks written as `\n`. Undefined: it is none. */
export function pemKey(pem: string, kind: "rsa" | "ec"): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem.replaceAll("\\n", "\n"));
    const fits = kind === "rsa" || key.asymmetricKeyDetails?.namedCurve === CURVE;
    return key.asymmetricKeyType === kind && fits ? key : undefined;
  } catch {
    return undefined;
  }
}

/** A key pair of VAPID (RFC 8292): the raw private number and the uncompressed point, each in base64url. */
export interface VapidPair {
  publicKey: string;
  privateKey: string;
}

export function newVapidPair(): VapidPair {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  // Without its leading zeros one number in 256 would be too short.
  const number = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32);
  return { publicKey: pair.getPublicKey().toString("base64url"), privateKey: number.toString("base64url") };
}

/** The public key that belongs to a private one. Undefined: it is none. */
export function vapidPublicKey(privateKey: string): string | undefined {
  const number = Buffer.from(privateKey, "base64url");
  if (number.length !== 32) return undefined;
  try {
    const pair = createECDH(CURVE);
    pair.setPrivateKey(number);
    return pair.getPublicKey().toString("base64url");
  } catch {
    return undefined;
  }
}

/** The key that signs. @throws Error where it is none */
export function vapidKey(privateKey: string): KeyObject {
  const point = Buffer.from(vapidPublicKey(privateKey) ?? "", "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const jwk = { kty: "EC", crv: "P-256", x: x.toString("base64url"), y: y.toString("base64url"), d: privateKey };
  return createPrivateKey({ format: "jwk", key: jwk });
}
