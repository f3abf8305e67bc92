import type { Kind } from "./call.ts";
import { mailgun, postmark, resend, sendgrid } from "./email.ts";
import { http, twilio, vonage } from "./sms.ts";

/** All kinds except Amazon's, whose certificate comes from Amazon. */
export const kinds: Kind[] = [sendgrid, postmark, mailgun, resend, twilio, vonage, http];
