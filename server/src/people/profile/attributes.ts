import parsePhoneNumber, { type CountryCode } from "libphonenumber-js";
import { badField, Problem } from "../../platform/http/index.ts";
import { address } from "../../platform/mailbox.ts";
import { isZone } from "../../platform/time/zones.ts";

/** The attributes that one identify changes: the known ones by name, the others as `set` and `removed`. */
export interface Change {
  email?: string | null;
  phone?: string | null;
  /** Set by attested(), only for a caller who is believed. */
  email_verified?: boolean;
  phone_verified?: boolean;
  /** An address that the caller only claims. */
  claimed_email?: string | null;
  claimed_phone?: string | null;
  timezone?: string | null;
  locale?: string | null;
  /** Null: as if the person never chose. */
  subscribed?: boolean | null;
  set: Record<string, unknown>;
  removed: string[];
  /** When each attribute was reported, by name; without those that are reported now. See newest.ts. */
  times?: Record<string, number>;
}

export const MOST_ATTRIBUTE_BYTES = 32 * 1024;

/** Returns the email address in lower case and without surrounding spaces, as addresses are compared. Undefined if no mail can be sent to it. */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return address(email) === undefined ? undefined : email;
}

const isAttributeName = (name: string): boolean => /^[^\p{Cc}]{1,200}$/u.test(name);

/** Returns the number as E.164, or undefined if it is no phone number. A number without a country code needs the workspace's country. */
export function normalPhone(text: string, country?: string): string | undefined {
  const number = parsePhoneNumber(text, country as CountryCode | undefined);
  return number?.isPossible() ? number.number : undefined;
}

/**
 * Reads the attributes of an identify call. A known attribute of the wrong kind is refused here, because it would fail when a message
 * is sent. @throws Problem invalid_request, payload_too_large
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
