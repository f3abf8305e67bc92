import { Secret, TOTP } from "otpauth";

/** Returns the code that an authenticator application shows for a secret in base32. */
export const codeOf = (secret: string, timestamp = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
