import type { KindTexts, Pair } from "./kinds.ts";

const ENDPOINT: Pair = ["Address of the API", "Adresse der API"];
const ENDPOINT_HINT: Pair = [
  "Only for a regional endpoint, a proxy or an emulator.",
  "Nur für einen regionalen Endpunkt, einen Proxy oder einen Emulator.",
];

export const smtpTexts = {
  name: ["SMTP server", "SMTP-Server"],
  about: [
    "Any mail server, your own or a service’s.",
    "Ein beliebiger Mailserver, Ihr eigener oder der eines Dienstes.",
  ],
  "settings/host": ["Host", "Host"],
  "settings/port": ["Port", "Port"],
  "settings/port?": ["587, or 465 with TLS from the first byte.", "587, oder 465 mit TLS vom ersten Byte an."],
  "settings/secure": ["TLS from the first byte", "TLS vom ersten Byte an"],
  "settings/secure?": ["Otherwise STARTTLS, if the server offers it.", "Sonst STARTTLS, wenn der Server es anbietet."],
  "settings/user": ["User", "Benutzer"],
  "settings/user?": [
    "Often your whole address, or a word such as apikey.",
    "Oft die ganze Adresse, oder ein Wort wie apikey.",
  ],
  "settings/require_tls": ["Send without TLS", "Ohne TLS senden"],
  "settings/require_tls?": [
    "Never, unless there is no user: a password must not travel in the clear.",
    "Nie, außer ohne Benutzer: Ein Passwort darf nicht unverschlüsselt reisen.",
  ],
  "settings/verify_certificate": ["Check the server’s certificate", "Zertifikat des Servers prüfen"],
  "settings/bounce_mailbox": ["Read bounces from a mailbox", "Rückläufer aus einem Postfach lesen"],
  "settings/bounce_mailbox?": [
    "A mailbox that gets nothing else. Mail then has its address as envelope sender.",
    "Ein Postfach, das sonst nichts bekommt. Mails tragen dann seine Adresse als Absender des Umschlags.",
  ],
  "settings/bounce_mailbox/host": ["IMAP host", "IMAP-Host"],
  "settings/bounce_mailbox/port": ["IMAP port", "IMAP-Port"],
  "settings/bounce_mailbox/secure": ["IMAP by TLS", "IMAP über TLS"],
  "settings/bounce_mailbox/user": ["IMAP user", "IMAP-Benutzer"],
  "settings/bounce_mailbox/address": ["Its address", "Seine Adresse"],
  "settings/bounce_mailbox/verp": [
    "Write the delivery’s id into the address",
    "ID der Zustellung in die Adresse schreiben",
  ],
  "settings/bounce_mailbox/verp?": [
    "The mailbox must accept local+id@domain.",
    "Das Postfach muss local+id@domain annehmen.",
  ],
  "credentials/password": ["Password", "Passwort"],
  "credentials/password?": [
    "With Google or Microsoft an app password, with a service its SMTP key.",
    "Bei Google oder Microsoft ein App-Passwort, bei einem Dienst dessen SMTP-Schlüssel.",
  ],
  "credentials/bounce_password": ["Password of the bounce mailbox", "Passwort des Rückläufer-Postfachs"],
} satisfies KindTexts<"smtp">;

export const postmarkTexts = {
  name: ["Postmark", "Postmark"],
  about: ["By its email API.", "Über seine E-Mail-API."],
  "settings/message_stream": ["Message stream", "Message-Stream"],
  "settings/endpoint": ENDPOINT,
  "settings/endpoint?": ENDPOINT_HINT,
  "credentials/server_token": ["Server API token", "Server-API-Token"],
  "credentials/server_token?": ["Servers > your server > API Tokens.", "Servers > Ihr Server > API Tokens."],
  "credentials/webhook_password": ["Password of the webhook", "Passwort des Webhooks"],
  "credentials/webhook_password?": [
    "One that you make up; Postmark sends it back with each callback.",
    "Eines, das Sie sich ausdenken; Postmark schickt es mit jedem Rückruf.",
  ],
  callback: [
    "Servers > Message stream > Webhooks, with Basic auth: any user, and the webhook password that you set in the credentials.",
    "Servers > Message stream > Webhooks, mit Basic Auth: beliebiger Benutzer und das Webhook-Passwort aus den Zugangsdaten.",
  ],
} satisfies KindTexts<"postmark">;

export const resendTexts = {
  name: ["Resend", "Resend"],
  about: [
    "By its API. It allows two requests a second by default.",
    "Über seine API. Sie erlaubt zunächst zwei Anfragen je Sekunde.",
  ],
  "settings/endpoint": ENDPOINT,
  "settings/endpoint?": ENDPOINT_HINT,
  "credentials/api_key": ["API key", "API-Schlüssel"],
  "credentials/api_key?": ["API Keys > Create; sending access is enough.", "API Keys > Create; Sending Access genügt."],
  "credentials/webhook_secret": ["Signing secret of the webhook", "Signaturgeheimnis des Webhooks"],
  "credentials/webhook_secret?": ["whsec_…, shown at the webhook.", "whsec_…, steht beim Webhook."],
  callback: ["Webhooks > Add webhook.", "Webhooks > Add webhook."],
} satisfies KindTexts<"resend">;

export const sendgridTexts = {
  name: ["SendGrid", "SendGrid"],
  about: ["By its API, v3.", "Über seine API, v3."],
  "settings/endpoint": ENDPOINT,
  "settings/endpoint?": ENDPOINT_HINT,
  "credentials/api_key": ["API key", "API-Schlüssel"],
  "credentials/api_key?": ["Settings > API Keys, with Mail Send.", "Settings > API Keys, mit Mail Send."],
  "credentials/webhook_public_key": ["Verification key of the webhook", "Prüfschlüssel des Webhooks"],
  "credentials/webhook_public_key?": [
    "Shown once Signed event webhook is on.",
    "Steht dort, sobald Signed Event Webhook eingeschaltet ist.",
  ],
  callback: [
    "Settings > Mail settings > Event webhook, with Signed event webhook on.",
    "Settings > Mail Settings > Event Webhook, mit Signed Event Webhook.",
  ],
} satisfies KindTexts<"sendgrid">;

export const mailgunTexts = {
  name: ["Mailgun", "Mailgun"],
  about: ["By its API, message for message as MIME.", "Über seine API, jede Nachricht als MIME."],
  "settings/domain": ["Sending domain", "Sendende Domain"],
  "settings/region": ["Region", "Region"],
  "settings/region=us": ["US", "USA"],
  "settings/region=eu": ["EU", "EU"],
  "settings/endpoint": ENDPOINT,
  "settings/endpoint?": ENDPOINT_HINT,
  "credentials/api_key": ["API key", "API-Schlüssel"],
  "credentials/api_key?": [
    "Your account’s, or the domain’s sending key.",
    "Der des Kontos oder der Sending Key der Domain.",
  ],
  "credentials/webhook_signing_key": ["Webhook signing key", "Webhook Signing Key"],
  "credentials/webhook_signing_key?": [
    "API security > HTTP webhook signing key.",
    "API Security > HTTP webhook signing key.",
  ],
  callback: [
    "Sending > Webhooks, for each event. Show the address to nobody else.",
    "Sending > Webhooks, für jedes Ereignis. Zeigen Sie die Adresse sonst niemandem.",
  ],
} satisfies KindTexts<"mailgun">;

export const sesTexts = {
  name: ["Amazon SES", "Amazon SES"],
  about: [
    "API v2. The key needs ses:SendRawEmail and ses:SendEmail.",
    "API v2. Der Schlüssel braucht ses:SendRawEmail und ses:SendEmail.",
  ],
  "settings/region": ["AWS region", "AWS-Region"],
  "settings/configuration_set": ["Configuration set", "Configuration Set"],
  "settings/configuration_set?": [
    "Without one, SES reports neither bounces nor complaints.",
    "Ohne eines meldet SES weder Rückläufer noch Beschwerden.",
  ],
  "settings/topic_arn": ["ARN of the SNS topic", "ARN des SNS-Topics"],
  "settings/topic_arn?": ["Whose callbacks are believed.", "Dessen Rückrufen geglaubt wird."],
  "settings/endpoint": ENDPOINT,
  "settings/endpoint?": ENDPOINT_HINT,
  "credentials/access_key_id": ["Access key id", "Access Key ID"],
  "credentials/access_key_id?": ["IAM > Users > Security credentials.", "IAM > Users > Security credentials."],
  "credentials/secret_access_key": ["Secret access key", "Secret Access Key"],
  "credentials/session_token": ["Session token", "Session Token"],
  "credentials/session_token?": ["Only of temporary credentials.", "Nur bei befristeten Zugangsdaten."],
  callback: [
    "An SNS topic as event destination of the configuration set, with an HTTPS subscription to this address. It is confirmed by itself.",
    "Ein SNS-Topic als Event Destination des Configuration Sets, mit einem HTTPS-Abonnement dieser Adresse. Es bestätigt sich selbst.",
  ],
} satisfies KindTexts<"ses">;
