import * as crypto from "node:crypto";
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { KeyKind } from "@tidings/contract/workspaces";

const PREFIX = { secret: "tid_sec_", public: "tid_pub_" } as const;

/** Returns a new key: the prefix of its kind and 256 random bits. */
export const makeKey = (kind: KeyKind): string => PREFIX[kind] + randomBytes(32).toString("base64url");

export function kindOf(key: string): KeyKind | undefined {
  if (key.startsWith(PREFIX.secret)) return "secret";
  return key.startsWith(PREFIX.public) ? "public" : undefined;
}

/** SHA-256 of a key. Its first 8 bytes find the row; the whole hash is compared in constant time. */
export const digest = (key: string): Buffer => crypto.hash("sha256", key, "buffer");
export const lookupOf = (hash: Buffer): Buffer => hash.subarray(0, 8);
export const sameHash = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
