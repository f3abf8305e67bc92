import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from "node:crypto";

// Links in messages. A link's payload is sealed, so that nobody else can read it, alter it or make a link. The seal uses a synthetic
// initialisation vector (the construction of RFC 5297 with HMAC-SHA256): the check value of 128 bits is the vector of AES-256-CTR. So
// the same payload makes the same link, and a message that is repeated after a crash is the same to the byte.

/** Keys for the links of this installation; a change of ENCRYPTION_KEY invalidates all links that were sent. */
export interface LinkKey {
  // Key objects, because Node wraps a buffer again at each use: 5 us a link instead of 26, for every email.
  mac: KeyObject;
  cipher: KeyObject;
}

/** The purposes of links. Each slice adds its own. */
// biome-ignore lint/suspicious/noEmptyInterface: the slices fill it
export interface LinkPurposes {}
/** The purpose is bound into the seal: a link for one purpose does not open for another. */
export type LinkPurpose = keyof LinkPurposes & string;

const CHECK_BYTES = 16;
/** A click link carries its target, which has at most 2,000 characters of any alphabet. We never make a longer text. */
const MOST_TEXT = 12_000;

/** @param encryptionKey the 32 bytes of ENCRYPTION_KEY */
export function linkKeyFrom(encryptionKey: Buffer): LinkKey {
  const bytes = Buffer.from(hkdfSync("sha256", encryptionKey, Buffer.alloc(0), "tidings links v1", 64));
  return { mac: createSecretKey(bytes.subarray(0, 32)), cipher: createSecretKey(bytes.subarray(32)) };
}

const checkOf = (key: LinkKey, purpose: LinkPurpose, plain: Buffer): Buffer =>
  createHmac("sha256", key.mac).update(`${purpose}\0`).update(plain).digest().subarray(0, CHECK_BYTES);

/** Writes a UUID as 22 characters instead of 36: lines and headers of emails are short. */
export const packId = (uuid: string): string => Buffer.from(uuid.replaceAll("-", ""), "hex").toString("base64url");

/** Returns the UUID that packId packed. */
export function unpackId(text: string): string {
  const hex = Buffer.from(text, "base64url").toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Seals a payload as text of letters, digits, `-` and `_`. The same payload for the same purpose makes the same text. */
export function sealLink(key: LinkKey, purpose: LinkPurpose, payload: object): string {
  const plain = Buffer.from(JSON.stringify(payload));
  const check = checkOf(key, purpose, plain);
  const cipher = createCipheriv("aes-256-ctr", key.cipher, check);
  return Buffer.concat([check, cipher.update(plain), cipher.final()]).toString("base64url");
}

/** Returns the payload of a link, or undefined for anything that sealLink did not make for this purpose with this key. */
export function openLink(key: LinkKey, purpose: LinkPurpose, text: string): object | undefined {
  // Buffer skips characters that are not base64url: without this test many texts would be the same link, and caches would not help.
  if (text.length > MOST_TEXT || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length <= CHECK_BYTES || bytes.toString("base64url") !== text) return undefined;
  const check = bytes.subarray(0, CHECK_BYTES);
  const decipher = createDecipheriv("aes-256-ctr", key.cipher, check);
  const plain = Buffer.concat([decipher.update(bytes.subarray(CHECK_BYTES)), decipher.final()]);
  // Only our own text has this check value, so the plain text is JSON.
  return timingSafeEqual(check, checkOf(key, purpose, plain))
    ? (JSON.parse(plain.toString("utf8")) as object)
    : undefined;
}
