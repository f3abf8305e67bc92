import type { ProviderKind } from "@tidings/contract/providers";
import type { Ground } from "../../platform/ground.ts";
import { apns } from "./apns.ts";
import { fcm } from "./fcm.ts";
import { http } from "./http.ts";
import { local } from "./local.ts";
import { mailgun } from "./mailgun.ts";
import { postmark } from "./postmark.ts";
import type { Kind, Opening, Provider } from "./provider.ts";
import { resend } from "./resend.ts";
import { sendgrid } from "./sendgrid.ts";
import { ses } from "./ses.ts";
import { smtp } from "./smtp.ts";
import { twilio } from "./twilio.ts";
import { vonage } from "./vonage.ts";
import { webpush } from "./webpush.ts";

/** One file a kind. */
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
export function open(ground: Ground, kind: ProviderKind, opening: Opening<ProviderKind>): Provider {
  const known = kindOf(kind);
  if (!known) throw new Error(`no provider of the kind ${kind}`);
  return known.open(ground, opening) as Provider;
}
