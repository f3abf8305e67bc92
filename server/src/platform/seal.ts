import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

/** Encrypts small secrets at rest with AES-256-GCM. The id of the key stands in front, so that a rotation can tell the keys apart. */
export interface Seal {
  /** @param context must be the same when the value is opened, such as the id of its row */
  seal(plain: string, context: string): string;
  /** @throws Error for a value that was altered, or sealed with another key or context */
  open(sealed: string, context: string): string;
}

/** @param key 32 bytes (ENCRYPTION_KEY). `context` is bound as additional data: a sealed value copied to another row does not open. */
export function createSeal(key: Buffer): Seal {
  const keyId = createHash("sha256").update(key).digest("hex").slice(0, 8);
  return {
    seal(plain, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `v1.${keyId}.${nonce.toString("base64url")}.${body.toString("base64url")}`;
    },
    open(sealed, context) {
      const [version, id, nonce, body] = sealed.split(".");
      if (version !== "v1" || !nonce || !body) throw new Error("this is not a sealed value");
      if (id !== keyId) throw new Error(`sealed with another ENCRYPTION_KEY (${id}, this process has ${keyId})`);
      const bytes = Buffer.from(body, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"));
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-16));
      return decipher.update(bytes.subarray(0, -16), undefined, "utf8") + decipher.final("utf8");
    },
  };
}

/**
 * Returns the sealed value that was kept if it holds this text or object; otherwise seals it. A secret that is given again stays as it is, so
 * that a repeated change is no change. One that can't be opened, because ENCRYPTION_KEY is another one, is replaced.
 */
export function sealOver(
  seal: Seal,
  { sealed, context }: { sealed: string | null; context: string },
  value: string | object,
): string {
  const isText = typeof value === "string";
  const plain = sealed === null ? undefined : opened(seal, sealed, context);
  if (
    sealed !== null &&
    plain !== undefined &&
    (isText ? plain === value : isDeepStrictEqual(JSON.parse(plain), value))
  )
    return sealed;
  return seal.seal(isText ? value : JSON.stringify(value), context);
}

function opened(seal: Seal, sealed: string, context: string): string | undefined {
  try {
    return seal.open(sealed, context);
  } catch {
    return undefined;
  }
}
