import { type Static, Type } from "typebox";
import { Closed, Line } from "../primitives.ts";

// The settings and credentials of each kind of provider. Settings are returned; credentials are write-only and sealed at rest.

const Secret = (description: string, maxLength = 4_096, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, description, ...options });
const Word = (description: string, options: object = {}) =>
  Line(200, {
    minLength: 1,
    pattern: "^[A-Za-z0-9._:@+-]+$",
    "x-says": "may have letters, digits and . _ : @ + -",
    description,
    ...options,
  });
const Host = (description: string) =>
  Line(253, {
    minLength: 1,
    pattern: "^[A-Za-z0-9._:-]+$",
    "x-says": "must be a host's name or address, without http:// and without a path",
    description,
  });
const Address = (description: string) =>
  Line(2_000, {
    pattern: "^https?://[^\\s\\p{Cc}\\p{Cs}]+$",
    "x-says": "must be an http or https address",
    description,
  });
/** One half of a key pair. A new provider may leave out both halves: the service then makes them. */
const MADE = { "x-made": true };
/** An address to use instead of the provider's own: a regional endpoint, a proxy, an emulator. */
const Endpoint = Type.Optional(Address("Base address instead of the provider's own, without a slash at the end."));

const smtp = {
  channels: ["email"],
  settings: Closed({
    host: Host("The server's name or address."),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, description: "Default: 587, or 465 with secure." })),
    secure: Type.Optional(
      Type.Boolean({ description: "TLS from the first byte. Otherwise STARTTLS, if the server offers it." }),
    ),
    user: Type.Optional(Line(320, { minLength: 1 })),
    require_tls: Type.Optional(
      Type.Boolean({
        description:
          "Never send without TLS. True unless given where there is a user, so that a password never travels in the clear.",
      }),
    ),
    verify_certificate: Type.Optional(Type.Boolean({ description: "Default: true." })),
    bounce_mailbox: Type.Optional(
      Closed(
        {
          host: Host("The IMAP server of the mailbox."),
          port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, description: "Default: 993." })),
          secure: Type.Optional(Type.Boolean({ description: "Default: true." })),
          user: Line(320, { minLength: 1 }),
          address: Line(320, { minLength: 3, description: "Envelope sender, to which servers return bounces." }),
          verp: Type.Optional(
            Type.Boolean({
              description:
                "Writes the delivery's id into the address (local+dlv_...@domain), where the mailbox takes that.",
            }),
          ),
        },
        { description: "The mailbox where bounces (delivery status notifications) arrive; it is read over IMAP." },
      ),
    ),
  }),
  credentials: Closed({
    password: Type.Optional(Secret("Of `user`.")),
    bounce_password: Type.Optional(Secret("Of the bounce mailbox.")),
  }),
} as const;

const ses = {
  channels: ["email"],
  settings: Closed({
    region: Word("AWS region, e.g. eu-west-1."),
    configuration_set: Type.Optional(Word("Where SES publishes its events.")),
    topic_arn: Type.Optional(Word("The Amazon SNS topic whose callbacks are believed.")),
    endpoint: Endpoint,
  }),
  credentials: Closed({
    access_key_id: Secret("AWS access key id."),
    secret_access_key: Secret("AWS secret access key."),
    session_token: Type.Optional(Secret("Of temporary credentials.")),
  }),
} as const;

const postmark = {
  channels: ["email"],
  settings: Closed({ message_stream: Type.Optional(Word("`outbound` unless given.")), endpoint: Endpoint }),
  credentials: Closed({
    server_token: Secret("Server API token."),
    webhook_password: Type.Optional(Secret("Postmark sends it back by Basic authentication with each webhook.")),
  }),
} as const;

const resend = {
  channels: ["email"],
  settings: Closed({ endpoint: Endpoint }),
  credentials: Closed({
    api_key: Secret("API key."),
    webhook_secret: Type.Optional(Secret("Signing secret of the webhook (whsec_...).")),
  }),
} as const;

const sendgrid = {
  channels: ["email"],
  settings: Closed({ endpoint: Endpoint }),
  credentials: Closed({
    api_key: Secret("API key."),
    webhook_public_key: Type.Optional(Secret("Verification key of the signed event webhook.")),
  }),
} as const;

const mailgun = {
  channels: ["email"],
  settings: Closed({
    domain: Host("Sending domain."),
    region: Type.Optional(Type.Unsafe<"us" | "eu">({ type: "string", enum: ["us", "eu"] })),
    endpoint: Endpoint,
  }),
  credentials: Closed({
    api_key: Secret("API key."),
    webhook_signing_key: Type.Optional(Secret("HTTP webhook signing key.")),
  }),
} as const;

const twilio = {
  channels: ["sms"],
  settings: Closed({
    account_sid: Word("Account SID."),
    from: Type.Optional(Line(64, { minLength: 1, description: "Sending number or sender id." })),
    messaging_service_sid: Type.Optional(Word("Instead of from.")),
    endpoint: Endpoint,
  }),
  credentials: Closed({ auth_token: Secret("Auth token; it signs Twilio's callbacks, too.") }),
} as const;

const vonage = {
  channels: ["sms"],
  settings: Closed({
    from: Line(64, { minLength: 1, description: "Sending number or sender id." }),
    endpoint: Endpoint,
  }),
  credentials: Closed({
    api_key: Secret("API key."),
    api_secret: Secret("API secret."),
    signature_secret: Type.Optional(Secret("Signs Vonage's callbacks (SHA-256 HMAC).")),
  }),
} as const;

const http = {
  channels: ["sms"],
  settings: Closed({
    url: Address("Gets a POST of JSON for each message."),
    from: Type.Optional(Line(64, { minLength: 1 })),
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: "^[A-Za-z0-9-]{1,76}$" }), Line(900), {
        maxProperties: 20,
        additionalProperties: false,
      }),
    ),
  }),
  credentials: Closed({
    bearer_token: Type.Optional(Secret("Sent as Authorization: Bearer.")),
    signing_secret: Type.Optional(Secret("Signs each request as a Standard Webhook, and its callbacks.")),
  }),
} as const;

const fcm = {
  channels: ["push"],
  settings: Closed({
    project_id: Word("Firebase project."),
    client_email: Line(320, { minLength: 3, description: "The email of the service account." }),
    token_url: Type.Optional(Address("https://oauth2.googleapis.com/token unless given.")),
    endpoint: Endpoint,
  }),
  credentials: Closed({ private_key: Secret("Of the service account, PEM.", 16_384) }),
} as const;

const apns = {
  channels: ["push"],
  settings: Closed({
    team_id: Word("Apple developer team."),
    key_id: Word("Of the signing key."),
    topic: Word("The application's bundle id."),
    environment: Type.Optional(
      Type.Unsafe<"production" | "sandbox">({ type: "string", enum: ["production", "sandbox"] }),
    ),
    endpoint: Endpoint,
  }),
  credentials: Closed({ private_key: Secret("The .p8 key, PEM.", 16_384) }),
} as const;

const webpush = {
  channels: ["push"],
  settings: Closed({
    subject: Line(320, {
      pattern: "^(mailto:|https://).+$",
      "x-says": "must begin with mailto: or https://",
      description: "The contact for push services: an address with mailto: or https:.",
    }),
    public_key: Word("VAPID public key, base64url: browsers subscribe with it.", MADE),
  }),
  credentials: Closed({ private_key: Secret("VAPID private key, base64url.", 4_096, MADE) }),
} as const;

const local = { channels: ["email", "push", "sms"], settings: Closed({}), credentials: Closed({}) } as const;

/** Every kind of provider: the channels that it serves, its settings and its credentials. */
export const providerKinds = {
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
} as const;

export type ProviderKind = keyof typeof providerKinds;
export type SettingsOf<K extends ProviderKind> = Static<(typeof providerKinds)[K]["settings"]>;
export type CredentialsOf<K extends ProviderKind> = Static<(typeof providerKinds)[K]["credentials"]>;
