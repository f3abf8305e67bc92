import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** The keys of a browser's subscription, in base64url. */
export interface SubscriptionKeys {
  p256dh: string;
  auth: string;
}

/** A push service need not accept more than 4,096 bytes (RFC 8030 7.2); header, padding and tag use 103 of them. */
export const LONGEST_TEXT = 3_993;

const HEADER_KEY_LENGTH = 65;

/**
 * Encrypts a message for Web Push (RFC 8291) in one record of aes128gcm (RFC 8188), so that only this browser can read it.
 * @param salt new for each message, like `ours`; a test passes those of the RFC's own example
 * @param ours private key
 * @throws Error for texts that are no keys
 */
export function encrypted(
  text: Buffer,
  keys: SubscriptionKeys,
  salt: Buffer = randomBytes(16),
  ours?: Buffer,
): Buffer<ArrayBuffer> {
  const theirPublic = Buffer.from(keys.p256dh, "base64url");
  const auth = Buffer.from(keys.auth, "base64url");
  if (theirPublic.length !== HEADER_KEY_LENGTH || auth.length !== 16) throw new Error("no keys of a subscription");
  const pair = createECDH("prime256v1");
  if (ours) pair.setPrivateKey(ours);
  else pair.generateKeys();
  const ourPublic = pair.getPublicKey();

  const agreed = Buffer.concat([Buffer.from("WebPush: info\0"), theirPublic, ourPublic]);
  const secret = derived(pair.computeSecret(theirPublic), auth, agreed, 32);
  const key = derived(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derived(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);

  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // 2 ends the text of the last record, and this is the only one.
  const body = [cipher.update(text), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()];
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(4_096);
  sizes.writeUInt8(HEADER_KEY_LENGTH, 4);
  return Buffer.concat([salt, sizes, ourPublic, ...body]);
}

const derived = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));
