import type { ProviderKind } from "@tidings/contract/messages/providers";
import type { Ground } from "../../platform/ground.ts";
import { type Scrub, scrubber } from "../../platform/scrub.ts";
import { mailgun } from "./email/mailgun.ts";
import { postmark } from "./email/postmark.ts";
import { resend } from "./email/resend.ts";
import { sendgrid } from "./email/sendgrid.ts";
import { ses } from "./email/ses.ts";
import { smtp } from "./email/smtp.ts";
import { http } from "./http.ts";
import { local } from "./local.ts";
import type { Kind, Opening, Provider } from "./protocol/provider.ts";
import { apns } from "./push/apns.ts";
import { fcm } from "./push/fcm.ts";
import { webpush } from "./push/webpush.ts";
import { twilio } from "./sms/twilio.ts";
import { vonage } from "./sms/vonage.ts";

/** Each kind has its file. */
const kinds: { [K in ProviderKind]: Kind<K> } = {
  local,
  smtp,
  ses,
  postmark,
  resend,
  sendgrid,
  mailgun,
  twilio,
  vonage,
  http,
  fcm,
  apns,
  webpush,
};

export const kindOf = (kind: ProviderKind): Kind | undefined => kinds[kind] as Kind | undefined;

/** Opens a provider of any kind. @throws Error for a kind that this version does not know */
export function open(ground: Ground, kind: ProviderKind, opening: Omit<Opening<ProviderKind>, "scrub">): Provider {
  const opener = kindOf(kind);
  if (!opener) throw new Error(`no provider of the kind ${kind}`);
  const scrub = scrubber(opening.credentials, opening.settings);
  const provider: Provider = opener.open(ground, { ...opening, scrub });
  const reaching = opener.reaches ? { ...provider, reaches: opener.reaches } : provider;
  return kind === "local" ? provider : scrubbing(reaching, scrub);
}

/** Removes the credentials from everything that a provider returns or throws, wherever in it they are. */
function scrubbing(provider: Provider, scrub: Scrub): Provider {
  const clean = <T>(value: T): T => {
    if (typeof value === "string") return scrub(value) as T;
    if (Array.isArray(value)) return value.map(clean) as T;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, clean(part)])) as T;
  };
  const rethrow = (error: unknown) => {
    throw new Error(scrub(String(error)));
  };
  return {
    ...provider,
    hand: (handOff) => provider.hand(handOff).then(clean, rethrow),
    check: (sender) => provider.check(sender).then(clean, rethrow),
  };
}
