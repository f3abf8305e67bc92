import { createECDH, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { ProviderKind } from "@tidings/contract/messages/providers";
import { secretBytes } from "../../../platform/standard-webhooks.ts";

/** The shortest signing key in bytes: a shorter one can be found by trying. All providers give at least 128 bits. */
const SHORTEST_KEY = 16;
/** The shortest password in bytes. People choose these themselves, and Vonage has such short ones. */
const SHORTEST_PASSWORD = 8;

const standard = (secret: string) => secretBytes(secret).length >= SHORTEST_KEY;
const long = (secret: string) => Buffer.byteLength(secret.trim()) >= SHORTEST_PASSWORD;

/** The credential that verifies the callbacks of each kind, and whether it is strong enough. */
const signing: { [K in ProviderKind]?: { name: string; isStrong(secret: string): boolean; must: string } } = {
  http: { name: "signing_secret", isStrong: standard, must: `whsec_ and at least ${SHORTEST_KEY} bytes in base64` },
  resend: { name: "webhook_secret", isStrong: standard, must: `whsec_ and at least ${SHORTEST_KEY} bytes in base64` },
  postmark: { name: "webhook_password", isStrong: long, must: `at least ${SHORTEST_PASSWORD} characters long` },
  mailgun: { name: "webhook_signing_key", isStrong: long, must: `at least ${SHORTEST_PASSWORD} characters long` },
  vonage: { name: "signature_secret", isStrong: long, must: `at least ${SHORTEST_PASSWORD} characters long` },
  twilio: { name: "auth_token", isStrong: long, must: `at least ${SHORTEST_PASSWORD} characters long` },
  sendgrid: {
    name: "webhook_public_key",
    isStrong: (key) => ecPublicKey(key) !== undefined,
    must: "the verification key as SendGrid shows it",
  },
};

/** Returns what is wrong with the key that verifies the callbacks of this kind; undefined where it is good or not set. */
export function weakKey(kind: ProviderKind, credentials: object): { name: string; must: string } | undefined {
  const key = signing[kind];
  const secret = key && (credentials as Record<string, unknown>)[key.name];
  return key && typeof secret === "string" && !key.isStrong(secret) ? key : undefined;
}

/** Reads a public key on an elliptic curve, SPKI in base64, with or without the lines of PEM. Undefined where the text is no such key. */
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

/** Reads a private key in PEM, also with line breaks as `\n` like in a JSON file. Undefined where the text is no such key. */
export function pemKey(pem: string, kind: "rsa" | "ec"): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem.replaceAll("\\n", "\n"));
    const fits = kind === "rsa" || key.asymmetricKeyDetails?.namedCurve === CURVE;
    return key.asymmetricKeyType === kind && fits ? key : undefined;
  } catch {
    return undefined;
  }
}

/** A VAPID key pair (RFC 8292): the raw private number and the uncompressed point, each in base64url. */
export interface VapidPair {
  publicKey: string;
  privateKey: string;
}

export function newVapidPair(): VapidPair {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  // The number is padded: without its leading zeros one in 256 would be too short.
  const number = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32);
  return { publicKey: pair.getPublicKey().toString("base64url"), privateKey: number.toString("base64url") };
}

/** Returns the public key of a private key. Undefined where the text is no private key. */
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

/** Returns the key that signs. @throws Error where the text is no private key */
export function vapidKey(privateKey: string): KeyObject {
  const point = Buffer.from(vapidPublicKey(privateKey) ?? "", "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const jwk = { kty: "EC", crv: "P-256", x: x.toString("base64url"), y: y.toString("base64url"), d: privateKey };
  return createPrivateKey({ format: "jwk", key: jwk });
}
