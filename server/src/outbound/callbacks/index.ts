import type { ProviderKind } from "@tidings/contract/messages/providers";
import type { Reader } from "./callback.ts";
import { http } from "./http.ts";
import { mailgun } from "./mailgun.ts";
import { postmark } from "./postmark.ts";
import { resend } from "./resend.ts";
import { sendgrid } from "./sendgrid.ts";
import { ses } from "./ses.ts";
import { twilio } from "./twilio.ts";
import { vonage } from "./vonage.ts";

/** The kinds that call back. One file each. */
const readers: { [K in ProviderKind]?: Reader<K> } = { ses, postmark, resend, sendgrid, mailgun, twilio, vonage, http };

export const readerOf = (kind: ProviderKind): Reader<ProviderKind> | undefined =>
  readers[kind] as Reader<ProviderKind> | undefined;
