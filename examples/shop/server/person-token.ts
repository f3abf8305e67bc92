import { createHmac } from "node:crypto";

/** Short, because the application fetches another token whenever it needs one. */
const LIFE_S = 10 * 60;

export interface SigningSecret {
  kid: string;
  secret: string;
}

/** Returns the token that proves to Tidings that the application speaks for this person. Only a server can create it. */
export function personToken({ kid, secret }: SigningSecret, personId: string, now: Date): string {
  const json = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const claims = { sub: personId, exp: Math.floor(now.getTime() / 1000) + LIFE_S };
  const signed = `${json({ alg: "HS256", typ: "JWT", kid })}.${json(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
