import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { CredentialsOf, ProviderKind, SettingsOf } from "@tidings/contract/messages/providers";
import type { Texts } from "../../platform/language/texts.ts";

export type Pair = readonly [en: string, de: string];
/** The name of each field of a kind; with `?` after it, what else to know. `callback` says where its callbacks are set up. */
export type KindTexts<K extends ProviderKind> = Record<"name" | "about", Pair> &
  Record<`settings/${keyof SettingsOf<K> & string}` | `credentials/${keyof CredentialsOf<K> & string}`, Pair> &
  Texts;

/** How a setting or a credential is entered. `made`: the service makes it where a new provider leaves it out. */
export type Field =
  | { type: "text"; placeholder?: string; made?: true }
  | { type: "number"; min: number; max: number; placeholder: string }
  | { type: "switch"; unset: boolean }
  /** Yes, no, or what the service takes where nothing is said. */
  | { type: "tri" }
  | { type: "choice"; values: readonly string[] }
  /** Lines of `name: value`. */
  | { type: "headers" }
  | { type: "secret"; made?: true }
  /** A key of several lines. */
  | { type: "key" };

/** Several settings that are given together or not at all. */
export interface Group {
  type: "group";
  fields: Record<string, Field & { optional?: true }>;
}

interface Marks {
  /** Most leave it as it is. */
  advanced?: true;
}
type Entered = (Field | Group) & Marks;
/** A field that may be left out says so. */
type SpecOf<T, F extends keyof T> = Entered & (object extends Pick<T, F> ? { optional: true } : { optional?: never });
export type Spec = Entered & { optional?: true };

type FieldsOf<K extends ProviderKind> = {
  channels: readonly PushedChannel[];
  settings: { [F in keyof SettingsOf<K>]-?: SpecOf<SettingsOf<K>, F> };
  credentials: { [F in keyof CredentialsOf<K>]-?: SpecOf<CredentialsOf<K>, F> };
};

const text = { type: "text" } as const;
const secret = { type: "secret" } as const;
const optional = { optional: true } as const;
const endpoint = { type: "text", placeholder: "https://…", optional: true, advanced: true } as const;

/** The form of each kind, in the order of its fields. It does not compile where a kind gets a field that lacks here. */
const forms: { [K in ProviderKind]: FieldsOf<K> } = {
  smtp: {
    channels: ["email"],
    settings: {
      host: { ...text, placeholder: "smtp.example.com" },
      port: { type: "number", min: 1, max: 65_535, placeholder: "587", ...optional },
      secure: { type: "switch", unset: false, ...optional },
      user: { ...text, ...optional },
      require_tls: { type: "tri", ...optional, advanced: true },
      verify_certificate: { type: "switch", unset: true, ...optional, advanced: true },
      bounce_mailbox: {
        type: "group",
        fields: {
          host: { ...text, placeholder: "imap.example.com" },
          port: { type: "number", min: 1, max: 65_535, placeholder: "993", ...optional },
          secure: { type: "switch", unset: true, ...optional },
          user: text,
          address: { ...text, placeholder: "bounces@example.com" },
          verp: { type: "switch", unset: false, ...optional },
        } satisfies Record<keyof NonNullable<SettingsOf<"smtp">["bounce_mailbox"]>, Field & { optional?: true }>,
        ...optional,
        advanced: true,
      },
    },
    credentials: { password: { ...secret, ...optional }, bounce_password: { ...secret, ...optional, advanced: true } },
  },
  postmark: {
    channels: ["email"],
    settings: { message_stream: { ...text, placeholder: "outbound", ...optional }, endpoint },
    credentials: { server_token: secret, webhook_password: { ...secret, ...optional } },
  },
  resend: {
    channels: ["email"],
    settings: { endpoint },
    credentials: { api_key: secret, webhook_secret: { ...secret, ...optional } },
  },
  sendgrid: {
    channels: ["email"],
    settings: { endpoint },
    credentials: { api_key: secret, webhook_public_key: { ...secret, ...optional } },
  },
  mailgun: {
    channels: ["email"],
    settings: {
      domain: { ...text, placeholder: "mg.example.com" },
      region: { type: "choice", values: ["us", "eu"], ...optional },
      endpoint,
    },
    credentials: { api_key: secret, webhook_signing_key: { ...secret, ...optional } },
  },
  ses: {
    channels: ["email"],
    settings: {
      region: { ...text, placeholder: "eu-west-1" },
      configuration_set: { ...text, ...optional },
      topic_arn: { ...text, placeholder: "arn:aws:sns:…", ...optional },
      endpoint,
    },
    credentials: {
      access_key_id: secret,
      secret_access_key: secret,
      session_token: { ...secret, ...optional, advanced: true },
    },
  },
  twilio: {
    channels: ["sms"],
    settings: {
      account_sid: { ...text, placeholder: "AC…" },
      from: { ...text, placeholder: "+15551234567", ...optional },
      messaging_service_sid: { ...text, placeholder: "MG…", ...optional },
      endpoint,
    },
    credentials: { auth_token: secret },
  },
  vonage: {
    channels: ["sms"],
    settings: { from: { ...text, placeholder: "Acme" }, endpoint },
    credentials: { api_key: secret, api_secret: secret, signature_secret: { ...secret, ...optional } },
  },
  http: {
    channels: ["sms"],
    settings: {
      url: { ...text, placeholder: "https://gateway.example.com/sms" },
      from: { ...text, ...optional },
      headers: { type: "headers", ...optional, advanced: true },
    },
    credentials: { bearer_token: { ...secret, ...optional }, signing_secret: { ...secret, ...optional } },
  },
  fcm: {
    channels: ["push"],
    settings: {
      project_id: { ...text, placeholder: "my-app-1234" },
      client_email: { ...text, placeholder: "firebase-adminsdk@my-app.iam.gserviceaccount.com" },
      token_url: endpoint,
      endpoint,
    },
    credentials: { private_key: { type: "key" } },
  },
  apns: {
    channels: ["push"],
    settings: {
      team_id: { ...text, placeholder: "ABCDE12345" },
      key_id: { ...text, placeholder: "ABC123DEFG" },
      topic: { ...text, placeholder: "com.example.app" },
      environment: { type: "choice", values: ["production", "sandbox"], ...optional },
      endpoint,
    },
    credentials: { private_key: { type: "key" } },
  },
  webpush: {
    channels: ["push"],
    settings: { subject: { ...text, placeholder: "mailto:hello@example.com" }, public_key: { ...text, made: true } },
    credentials: { private_key: { ...secret, made: true } },
  },
  local: { channels: ["email", "push", "sms"], settings: {}, credentials: {} },
};

export interface KindForm {
  channels: readonly PushedChannel[];
  settings: Record<string, Spec>;
  credentials: Record<string, Spec>;
}

export const formOf = (kind: ProviderKind): KindForm => forms[kind];
export const isKind = (kind: string): kind is ProviderKind => kind in forms;
/** The kinds that serve a channel. */
export const kindsOf = (channel: PushedChannel): ProviderKind[] =>
  (Object.keys(forms) as ProviderKind[]).filter((kind) => forms[kind].channels.includes(channel));
