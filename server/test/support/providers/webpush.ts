import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync } from "node:crypto";
import { jwtVerify } from "jose";
import { emulator, must } from "./emulator.ts";

/** A push as a browser's service worker got it. */
export interface TakenWebPush {
  data: Record<string, unknown>;
  subject: string | undefined;
  headers: Record<string, unknown>;
}

/** Message decryption as the browser does it (RFC 8188 and 8291), written from the receiver's side. */
export function decrypted(body: Buffer, browser: ECDH, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16);
  must(body.readUInt32BE(16) === 4_096, "a record size of 4,096");
  const length = body.readUInt8(20);
  const sender = body.subarray(21, 21 + length);
  const record = body.subarray(21 + length);
  const hkdf = (secret: Buffer, by: Buffer, info: Buffer, size: number) =>
    Buffer.from(hkdfSync("sha256", secret, by, info, size));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), sender]);
  const secret = hkdf(browser.computeSecret(sender), auth, info, 32);
  const key = hkdf(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = hkdf(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(record.subarray(-16));
  const text = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  must(text.at(-1) === 2, "the end of the last record");
  return text.subarray(0, -1);
}

/** A browser's push service with one browser, whose subscriptions were created with this public key. */
export async function webpushEmulator(publicKey: string) {
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  const auth = Buffer.from("sixteen bytes ok");
  const point = Buffer.from(publicKey, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const key = createPublicKey({ format: "jwk", key: jwk });
  const far = await emulator<TakenWebPush>(async (seen, take) => {
    const [, jwt = "", k] = /^vapid t=([^,]+), k=(.+)$/.exec(String(seen.headers.authorization)) ?? [];
    if (k !== publicKey) return { status: 403, body: "the subscription was made with another key" };
    const { payload } = await jwtVerify(jwt, key, { audience: seen.url.origin, algorithms: ["ES256"] });
    must(Number(payload.exp) * 1_000 < Date.now() + 24 * 3_600_000, "a signature for less than 24 h");
    must(seen.method === "POST" && seen.headers["content-encoding"] === "aes128gcm", "a POST of aes128gcm");
    must(Number(seen.headers.ttl) >= 0, "a TTL");
    must(/^[\w-]{1,32}$/.test(String(seen.headers.topic)), "a Topic of at most 32 letters");
    if (seen.body.length > 4_096) return { status: 413 };
    take({
      data: JSON.parse(decrypted(seen.body, browser, auth).toString("utf8")),
      subject: payload.sub,
      headers: seen.headers,
    });
    return { status: 201, headers: { location: `${seen.url.origin}/m/${seen.headers.topic}` } };
  });
  const keys = { p256dh: browser.getPublicKey("base64url", "uncompressed"), auth: auth.toString("base64url") };
  /** A subscription as the browser returns it. */
  const subscription = (name = "one") => ({ endpoint: `${far.url}/push/${name}`, keys });
  return { ...far, far, subscription };
}
