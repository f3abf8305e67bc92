import parsePhoneNumber, { type CountryCode } from "libphonenumber-js";
import { badField, Problem } from "../../platform/http/index.ts";
import { address } from "../../platform/mailbox.ts";
import { isZone } from "../../platform/time/zones.ts";

/** Attributes as one identify changes them: known ones apart, the rest as what to set and what to remove. */
export interface Change {
  email?: string | null;
  phone?: string | null;
  /** Somebody who must know says so, see attested(). */
  email_verified?: boolean;
  phone_verified?: boolean;
  /** What is only said to be theirs. */
  claimed_email?: string | null;
  claimed_phone?: string | null;
  timezone?: string | null;
  locale?: string | null;
  /** Null: as if nobody ever chose. */
  subscribed?: boolean | null;
  set: Record<string, unknown>;
  removed: string[];
  /** When it was said, by name, of what was not said now: see newest.ts. */
  times?: Record<string, number>;
}

export const MOST_ATTRIBUTE_BYTES = 32 * 1024;

/** Addresses are compared in lower case and without surrounding spaces. Undefined for what no mail can be sent to. */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return address(email) === undefined ? undefined : email;
}

const isAttributeName = (name: string): boolean => /^[^\p{Cc}]{1,200}$/u.test(name);

/** E.164, or undefined for what is no number. Without a country code it needs the workspace's country. */
export function normalPhone(text: string, country?: string): string | undefined {
  const number = parsePhoneNumber(text, country as CountryCode | undefined);
  return number?.isPossible() ? number.number : undefined;
}

/**
 * Reads the attributes of an identify call. A known attribute of the wrong kind is an error here and not a surprise at
 * sending. @throws Problem invalid_request, payload_too_large
 */
export function readAttributes(attributes: Record<string, unknown>, country?: string): Change {
  const change: Change = { set: {}, removed: [] };
  for (const [name, value] of Object.entries(attributes)) {
    switch (name) {
      case "email":
        change.email = text(
          name,
          value,
          normalEmail,
          "must be an address that mail can be sent to, such as ada@example.com, or null",
        );
        break;
      case "phone":
        change.phone = text(
          name,
          value,
          (phone) => normalPhone(phone, country),
          "must be a phone number with its country code, such as +4915112345678, or null",
        );
        break;
      case "timezone":
        change.timezone = text(
          name,
          value,
          (zone) => (isZone(zone) ? zone : undefined),
          "must be an IANA time zone such as Europe/Berlin, or null",
        );
        break;
      case "locale":
        change.locale = text(
          name,
          value,
          (tag) => (/^[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8})*$/.test(tag) ? tag : undefined),
          "must be a language tag such as de-AT, or null",
        );
        break;
      case "subscribed":
        if (typeof value !== "boolean" && value !== null)
          throw badField("/attributes/subscribed", "must be true, false, or null for the default");
        change.subscribed = value;
        break;
      default:
        if (!isAttributeName(name))
          throw badField("/attributes", "has a name that is empty, longer than 200 characters or not one line");
        if (value === null) change.removed.push(name);
        else change.set[name] = value;
    }
  }
  if (Buffer.byteLength(JSON.stringify(change.set)) > MOST_ATTRIBUTE_BYTES) {
    throw new Problem("payload_too_large", "The attributes are over the limit of 32 KiB.");
  }
  return change;
}

function text(
  name: string,
  value: unknown,
  normal: (text: string) => string | undefined,
  message: string,
): string | null {
  if (value === null) return null;
  const result = typeof value === "string" ? normal(value) : undefined;
  if (result === undefined) throw badField(`/attributes/${name}`, message);
  return result;
}
