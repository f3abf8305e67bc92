import type { ProviderKind, SettingsOf } from "@tidings/contract/messages/providers";

/** How a service sends mail, as its documentation says. */
export interface Sender {
  name: string;
  /** What the SPF record of the envelope's domain has to include. */
  include?: string;
  /** The selectors of its DKIM keys, where it uses the same for all customers. */
  selectors: string[];
  /**
   * The domain in MAIL FROM, whose SPF record counts: the sender's, or one of the service's own (or below it, such as `send.example.com`),
   * which its own set-up page explains.
   */
  envelope: "sender" | "own";
}

const GOOGLE: Sender = { name: "Google", include: "_spf.google.com", selectors: ["google"], envelope: "sender" };
const MICROSOFT: Sender = {
  name: "Microsoft 365",
  include: "spf.protection.outlook.com",
  selectors: ["selector1", "selector2"],
  envelope: "sender",
};
const SES: Sender = { name: "Amazon SES", include: "amazonses.com", selectors: [], envelope: "own" };
const POSTMARK: Sender = { name: "Postmark", selectors: ["pm"], envelope: "own" };
const RESEND: Sender = { name: "Resend", selectors: ["resend"], envelope: "own" };
const SENDGRID: Sender = { name: "SendGrid", include: "sendgrid.net", selectors: ["s1", "s2"], envelope: "own" };
const MAILGUN: Sender = {
  name: "Mailgun",
  include: "mailgun.org",
  selectors: ["k1", "pic", "mailo", "mx", "smtp", "krs"],
  envelope: "sender",
};

const KINDS: Partial<Record<ProviderKind, Sender>> = {
  ses: SES,
  postmark: POSTMARK,
  resend: RESEND,
  sendgrid: SENDGRID,
  mailgun: MAILGUN,
};

/** The mail servers of services that many use by SMTP. */
const HOSTS: [host: RegExp, sender: Sender][] = [
  [/(?:^|\.)(?:gmail|google|googlemail)\.com$/, GOOGLE],
  [/(?:^|\.)(?:office365|outlook)\.com$/, MICROSOFT],
  [/(?:^|\.)amazonaws\.com$/, SES],
  [/(?:^|\.)postmarkapp\.com$/, POSTMARK],
  [/(?:^|\.)resend\.com$/, RESEND],
  [/(?:^|\.)sendgrid\.net$/, SENDGRID],
  [/(?:^|\.)mailgun\.org$/, MAILGUN],
  [
    /(?:^|\.)fastmail\.com$/,
    { name: "Fastmail", include: "spf.messagingengine.com", selectors: ["fm1", "fm2", "fm3"], envelope: "sender" },
  ],
  [/(?:^|\.)mailjet\.com$/, { name: "Mailjet", include: "spf.mailjet.com", selectors: ["mailjet"], envelope: "own" }],
  [/(?:^|\.)mandrillapp\.com$/, { name: "Mandrill", selectors: ["mte1", "mte2", "mandrill"], envelope: "own" }],
  [/(?:^|\.)brevo\.com$/, { name: "Brevo", selectors: ["brevo1", "brevo2", "mail"], envelope: "own" }],
];

/** Selectors that mail servers of one's own often use. */
const OF_OWN_SERVERS = ["default", "mail", "dkim"];

/** Returns how a provider sends, as far as that is known by its kind or its host. */
export function senderOf(kind: ProviderKind, settings: object): Sender | undefined {
  if (kind !== "smtp") return KINDS[kind];
  const host = (settings as SettingsOf<"smtp">).host.toLowerCase().replace(/\.$/, "");
  const known = HOSTS.find(([pattern]) => pattern.test(host));
  return known?.[1] ?? { name: host, selectors: OF_OWN_SERVERS, envelope: "sender" };
}
