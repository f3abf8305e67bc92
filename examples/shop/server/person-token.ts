import { createHmac } from "node:crypto";

/** Short, because the application fetches another one whenever it needs it. */
const LIFE_S = 10 * 60;

export interface SigningSecret {
  kid: string;
  secret: string;
}

/** What proves to Tidings that the application speaks for this person. Only a server can make it. */
export function personToken({ kid, secret }: SigningSecret, personId: string, now: Date): string {
  const json = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const claims = { sub: personId, exp: Math.floor(now.getTime() / 1000) + LIFE_S };
  const signed = `${json({ alg: "HS256", typ: "JWT", kid })}.${json(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
