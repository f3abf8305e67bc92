import { createHmac } from "node:crypto";

export interface PersonTokenInput {
  /** `kid` and `secret` as `POST /api/v1/signing-secrets` returned them. */
  kid: string;
  secret: string;
  /** The person that the application's user is. The caller must have authenticated the user. */
  personId: string;
  /** Addresses that your back end has checked: the service then counts them as proven when the application reports them. */
  email?: string | undefined;
  phone?: string | undefined;
  /** How long the token is valid, in seconds: 3,600 (an hour) by default, 86,400 (24 hours) at most. */
  expiresInSeconds?: number;
}

const HOUR_S = 3_600;
/** The service refuses a token that is valid for longer: it would be as good as a password. */
const MOST_S = 24 * HOUR_S;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * Returns the token with which an application proves who its user is (header `X-Person-Token`, or `getPersonToken` of
 * `@tidings/web`). The token is an HS256 JWT and is made without a call to the service.
 * @throws TypeError for an empty `kid`, `secret` or `personId`, and for an `expiresInSeconds` out of range
 */
export function signPersonToken(input: PersonTokenInput): string {
  const { kid, secret, personId, email, phone, expiresInSeconds = HOUR_S } = input;
  for (const [name, value] of Object.entries({ kid, secret, personId }))
    if (typeof value !== "string" || value === "") throw new TypeError(`${name} must be a text that is not empty`);
  if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > MOST_S)
    throw new TypeError(`expiresInSeconds must be a whole number from 1 to ${MOST_S}`);
  const now = Math.floor(Date.now() / 1_000);
  // JSON leaves out what is undefined.
  const claims = { sub: personId, email, phone, iat: now, exp: now + expiresInSeconds };
  const signed = `${part({ alg: "HS256", typ: "JWT", kid })}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
