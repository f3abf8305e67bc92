import { createPublicKey } from "node:crypto";
import { tagsOf } from "./tags.ts";

/** A key that a domain publishes (RFC 6376 3.6.1). `bits` is undefined for Ed25519, whose keys have one length. */
export interface DkimKey {
  state: "usable" | "revoked" | "invalid";
  bits?: number | undefined;
  /** The domain only tries it out: receivers treat its mail as unsigned. */
  testing: boolean;
}

/** Reads the record of a selector; undefined for a text that is no key. */
export function parseDkim(text: string): DkimKey | undefined {
  if (!/(?:^|;)\s*p\s*=/.test(text)) return undefined;
  const tags = tagsOf(text);
  if (!tags || (tags.has("v") && tags.get("v") !== "DKIM1")) return { state: "invalid", testing: false };
  const testing = (tags.get("t") ?? "").split(":").some((flag) => flag.trim() === "y");
  const key = (tags.get("p") ?? "").replaceAll(/\s/g, "");
  if (key === "") return { state: "revoked", testing };
  const type = (tags.get("k") ?? "rsa").toLowerCase();
  if (type === "ed25519") {
    const state = Buffer.from(key, "base64").length === 32 ? "usable" : "invalid";
    return { state, testing };
  }
  const bits = type === "rsa" ? rsaBits(key) : undefined;
  return bits === undefined ? { state: "invalid", testing } : { state: "usable", bits, testing };
}

function rsaBits(base64: string): number | undefined {
  // A key of 16,384 bits has 2,100 bytes. A longer one is none, and would cost time.
  if (base64.length > 4_096) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyType === "rsa" ? key.asymmetricKeyDetails?.modulusLength : undefined;
  } catch {
    return undefined;
  }
}
