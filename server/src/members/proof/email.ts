import { badField } from "../../platform/http/index.ts";
import { address } from "../../platform/mailbox.ts";

/** An address as it was typed, and its normal form, by which accounts are found. */
export interface Email {
  email: string;
  key: string;
}

/** Returns undefined for a text that is no address. No mail system that is in use tells upper from lower case in the local part. */
export function emailOf(text: string): Email | undefined {
  const email = text.trim();
  const normal = address(email.normalize("NFC").toLowerCase());
  return normal === undefined ? undefined : { email, key: normal };
}

/** @throws Problem invalid_request */
export function givenEmail(text: string): Email {
  const email = emailOf(text);
  if (!email) throw badField("/email", "must be an email address, such as ada@example.com");
  return email;
}
