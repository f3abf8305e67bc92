import { createHmac } from "node:crypto";

export interface PersonTokenInput {
  /** `kid` and `secret` as `POST /api/v1/signing-secrets` gave them. */
  kid: string;
  secret: string;
  /** Who the application's user is; the caller must have made sure of it. */
  personId: string;
  /** How long the token may be used: an hour where it is left out, 24 hours at most. */
  expiresInSeconds?: number;
}

const HOUR_S = 3_600;
/** The service refuses a token that runs longer: it would be a password. */
const MOST_S = 24 * HOUR_S;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * The token with which an application proves who its user is (`X-Person-Token`, `getPersonToken` of `@tidings/web`): an
 * HS256 JWT, made without asking the service.
 * @throws TypeError for input that no service would take
 */
export function signPersonToken(input: PersonTokenInput): string {
  const { kid, secret, personId, expiresInSeconds = HOUR_S } = input;
  for (const [name, value] of Object.entries({ kid, secret, personId }))
    if (typeof value !== "string" || value === "") throw new TypeError(`${name} must be a text that is not empty`);
  if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > MOST_S)
    throw new TypeError(`expiresInSeconds must be a whole number from 1 to ${MOST_S}`);
  const now = Math.floor(Date.now() / 1_000);
  const signed = `${part({ alg: "HS256", typ: "JWT", kid })}.${part({ sub: personId, iat: now, exp: now + expiresInSeconds })}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
