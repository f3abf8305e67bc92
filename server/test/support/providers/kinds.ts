import type { Emulator, TakenEmail } from "./emulator.ts";
import { mailgunEmulator } from "./mailgun.ts";
import { postmarkEmulator } from "./postmark.ts";
import { resendEmulator } from "./resend.ts";
import { sendgridEmulator } from "./sendgrid.ts";
import { sesEmulator } from "./ses.ts";
import { gatewayEmulator, type TakenSms, twilioEmulator, vonageEmulator } from "./sms.ts";

/** How a test sets a kind up against its emulator. */
export interface Setup<Taken> {
  kind: string;
  start(): Promise<Emulator<Taken>>;
  settings(url: string): Record<string, unknown>;
  credentials: Record<string, string>;
  /** Credentials that the emulator refuses. */
  wrong: Record<string, string>;
}

const SES = { id: "AKIDEXAMPLE12345", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const SIGNING = `whsec_${Buffer.from("a key of the gateway's own, 32 B").toString("base64")}`;

export const emailKinds: Setup<TakenEmail>[] = [
  {
    kind: "ses",
    start: () => sesEmulator(SES.id, SES.secret, "eu-west-1"),
    settings: (endpoint) => ({ region: "eu-west-1", configuration_set: "main", endpoint }),
    credentials: { access_key_id: SES.id, secret_access_key: SES.secret },
    wrong: { access_key_id: SES.id, secret_access_key: "wrong-secret-of-ses" },
  },
  {
    kind: "postmark",
    start: () => postmarkEmulator("postmark-token-1"),
    settings: (endpoint) => ({ endpoint }),
    credentials: { server_token: "postmark-token-1" },
    wrong: { server_token: "wrong-postmark-token" },
  },
  {
    kind: "resend",
    start: () => resendEmulator("re_key_12345"),
    settings: (endpoint) => ({ endpoint }),
    credentials: { api_key: "re_key_12345" },
    wrong: { api_key: "re_wrong_12345" },
  },
  {
    kind: "sendgrid",
    start: () => sendgridEmulator("SG.key-12345"),
    settings: (endpoint) => ({ endpoint }),
    credentials: { api_key: "SG.key-12345" },
    wrong: { api_key: "SG.wrong-12345" },
  },
  {
    kind: "mailgun",
    start: () => mailgunEmulator("key-mailgun-12345", "mg.acme.test"),
    settings: (endpoint) => ({ domain: "mg.acme.test", endpoint }),
    credentials: { api_key: "key-mailgun-12345" },
    wrong: { api_key: "key-wrong-12345" },
  },
];

export const smsKinds: Setup<TakenSms>[] = [
  {
    kind: "twilio",
    start: () => twilioEmulator("AC0123456789", "twilio-token-1"),
    settings: (endpoint) => ({ account_sid: "AC0123456789", from: "+15005550006", endpoint }),
    credentials: { auth_token: "twilio-token-1" },
    wrong: { auth_token: "wrong-twilio-token" },
  },
  {
    kind: "vonage",
    start: () => vonageEmulator("abcd1234", "vonage-secret-1"),
    settings: (endpoint) => ({ from: "Acme", endpoint }),
    credentials: { api_key: "abcd1234", api_secret: "vonage-secret-1" },
    wrong: { api_key: "abcd1234", api_secret: "wrong-vonage-secret" },
  },
  {
    kind: "http",
    start: () => gatewayEmulator("gateway-token-1", SIGNING),
    settings: (url) => ({ url: `${url}/sms`, from: "Acme", headers: { "X-Tenant": "7" } }),
    credentials: { bearer_token: "gateway-token-1", signing_secret: SIGNING },
    wrong: { bearer_token: "wrong-gateway-token", signing_secret: SIGNING },
  },
];
