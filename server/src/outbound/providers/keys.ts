import { createECDH, createPrivateKey, type KeyObject } from "node:crypto";

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
