import { hash, randomBytes } from "node:crypto";

/** Returns a fresh token of 256 random bits: for sessions and one-time links. */
export const makeToken = (): string => randomBytes(32).toString("base64url");

/** SHA-256 of a token, which is all that is stored of it. A fast hash is enough: nobody can guess 256 random bits. */
export const tokenHash = (token: string): Buffer => hash("sha256", token, "buffer");
