import type { ProviderKind } from "@tidings/contract/messages/providers";
import type { CallbackReader } from "./callback.ts";
import { http } from "./http.ts";
import { mailgun } from "./mailgun.ts";
import { postmark } from "./postmark.ts";
import { resend } from "./resend.ts";
import { sendgrid } from "./sendgrid.ts";
import { ses } from "./ses.ts";
import { twilio } from "./twilio.ts";
import { vonage } from "./vonage.ts";

/** The kinds that call back, each with its file. */
const readers: { [K in ProviderKind]?: CallbackReader<K> } = {
  ses,
  postmark,
  resend,
  sendgrid,
  mailgun,
  twilio,
  vonage,
  http,
};

export const readerOf = (kind: ProviderKind): CallbackReader<ProviderKind> | undefined =>
  readers[kind] as CallbackReader<ProviderKind> | undefined;
