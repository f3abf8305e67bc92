import type { ProviderKind } from "@tidings/contract/messages/providers";
import type { Texts } from "../../platform/language/texts.ts";
import { mailgunTexts, postmarkTexts, resendTexts, sendgridTexts, sesTexts, smtpTexts } from "./email-texts.ts";
import type { KindTexts } from "./kinds.ts";
import { apnsTexts, fcmTexts, httpTexts, twilioTexts, vonageTexts, webpushTexts } from "./phone-texts.ts";

const localTexts = {
  name: ["Outbox (captured)", "Postausgang (aufgefangen)"],
  about: ["Captures messages instead of sending them.", "Fängt Nachrichten auf, statt sie zu senden."],
} satisfies KindTexts<"local">;

export const kindTexts: Record<ProviderKind, Texts> = {
  smtp: smtpTexts,
  postmark: postmarkTexts,
  resend: resendTexts,
  sendgrid: sendgridTexts,
  mailgun: mailgunTexts,
  ses: sesTexts,
  twilio: twilioTexts,
  vonage: vonageTexts,
  http: httpTexts,
  fcm: fcmTexts,
  apns: apnsTexts,
  webpush: webpushTexts,
  local: localTexts,
};
