import type { KindTexts, Pair } from "./kinds.ts";

const ENDPOINT: Pair = ["Address of the API", "Adresse der API"];
const ENDPOINT_HINT: Pair = [
  "Only for a regional endpoint, a proxy or an emulator.",
  "Nur für einen regionalen Endpunkt, einen Proxy oder einen Emulator.",
];

export const twilioTexts = {
  name: ["Twilio", "Twilio"],
  about: ["Text messages by its API.", "Textnachrichten über seine API."],
  "settings/account_sid": ["Account SID", "Account SID"],
  "settings/account_sid?": ["Console > Account info.", "Console > Account info."],
  "settings/from": ["Sending number or sender id", "Absendernummer oder Absenderkennung"],
  "settings/from?": ["This or a messaging service.", "Dies oder ein Messaging Service."],
  "settings/messaging_service_sid": ["Messaging service SID", "Messaging Service SID"],
  "settings/endpoint": ENDPOINT,
  "settings/endpoint?": ENDPOINT_HINT,
  "credentials/auth_token": ["Auth token", "Auth Token"],
  "credentials/auth_token?": [
    "Console > Account info. It signs callbacks, too.",
    "Console > Account info. Es signiert auch Rückrufe.",
  ],
  callback: [
    "Receipts need nothing. For STOP and START: “A message comes in” of the number or messaging service.",
    "Für Empfangsbestätigungen ist nichts zu tun. Für STOP und START: „A message comes in“ der Nummer oder des Messaging Service.",
  ],
} satisfies KindTexts<"twilio">;

export const vonageTexts = {
  name: ["Vonage", "Vonage"],
  about: ["Text messages by its SMS API.", "Textnachrichten über seine SMS-API."],
  "settings/from": ["Sending number or sender id", "Absendernummer oder Absenderkennung"],
  "settings/endpoint": ENDPOINT,
  "settings/endpoint?": ENDPOINT_HINT,
  "credentials/api_key": ["API key", "API-Schlüssel"],
  "credentials/api_key?": ["Dashboard > API settings.", "Dashboard > API settings."],
  "credentials/api_secret": ["API secret", "API Secret"],
  "credentials/signature_secret": ["Signature secret", "Signature Secret"],
  "credentials/signature_secret?": [
    "API settings, with SHA-256 HMAC: it signs callbacks.",
    "API settings, mit SHA-256 HMAC: Es signiert Rückrufe.",
  ],
  callback: [
    "Receipts need nothing. For STOP and START: the number’s inbound webhook, with signed webhooks on.",
    "Für Empfangsbestätigungen ist nichts zu tun. Für STOP und START: der Inbound Webhook der Nummer, mit Signed Webhooks.",
  ],
} satisfies KindTexts<"vonage">;

export const httpTexts = {
  name: ["Your own gateway", "Eigenes Gateway"],
  about: ["Gets a POST of JSON for each text message.", "Bekommt für jede Textnachricht ein POST mit JSON."],
  "settings/url": ["Address", "Adresse"],
  "settings/from": ["Sender", "Absender"],
  "settings/headers": ["Further headers", "Weitere Kopfzeilen"],
  "settings/headers?": [
    "One on each line, as “Name: value”. They are shown here, so no secrets.",
    "Je Zeile eine, als „Name: Wert“. Sie stehen hier lesbar, also keine Geheimnisse.",
  ],
  "credentials/bearer_token": ["Bearer token", "Bearer-Token"],
  "credentials/bearer_token?": ["Sent as Authorization: Bearer.", "Wird als Authorization: Bearer gesendet."],
  "credentials/signing_secret": ["Signing secret", "Signaturgeheimnis"],
  "credentials/signing_secret?": [
    "whsec_ and base64: it signs each request as a Standard Webhook, and its callbacks.",
    "whsec_ und Base64: Es signiert jede Anfrage als Standard Webhook, und die Rückrufe.",
  ],
  callback: [
    "Your gateway calls the callback_url that comes with each message.",
    "Ihr Gateway ruft die callback_url auf, die mit jeder Nachricht kommt.",
  ],
} satisfies KindTexts<"http">;

export const fcmTexts = {
  name: ["Firebase Cloud Messaging", "Firebase Cloud Messaging"],
  about: [
    "Push to Android, iOS and the web. All values are in the JSON file of a service account: Project settings > Service accounts > Generate new private key.",
    "Push an Android, iOS und das Web. Alle Werte stehen in der JSON-Datei eines Dienstkontos: Project settings > Service accounts > Generate new private key.",
  ],
  "settings/project_id": ["Project id", "Projekt-ID"],
  "settings/project_id?": ["project_id in the file.", "project_id in der Datei."],
  "settings/client_email": ["Service account", "Dienstkonto"],
  "settings/client_email?": ["client_email in the file.", "client_email in der Datei."],
  "settings/token_url": ["Address of the token server", "Adresse des Token-Servers"],
  "settings/endpoint": ENDPOINT,
  "settings/endpoint?": ENDPOINT_HINT,
  "credentials/private_key": ["Private key", "Privater Schlüssel"],
  "credentials/private_key?": [
    "private_key in the file, from -----BEGIN to END-----.",
    "private_key in der Datei, von -----BEGIN bis END-----.",
  ],
} satisfies KindTexts<"fcm">;

export const apnsTexts = {
  name: ["Apple Push Notification service", "Apple Push Notification service"],
  about: ["Push to iOS, with a signing key.", "Push an iOS, mit einem Signaturschlüssel."],
  "settings/team_id": ["Team id", "Team-ID"],
  "settings/team_id?": ["Apple developer > Membership details.", "Apple Developer > Membership details."],
  "settings/key_id": ["Key id", "Schlüssel-ID"],
  "settings/key_id?": ["Certificates, Identifiers & Profiles > Keys.", "Certificates, Identifiers & Profiles > Keys."],
  "settings/topic": ["Bundle id", "Bundle-ID"],
  "settings/environment": ["Environment", "Umgebung"],
  "settings/environment?": [
    "A build from Xcode has tokens of the sandbox.",
    "Eine App aus Xcode hat Tokens der Sandbox.",
  ],
  "settings/environment=production": ["Production", "Produktion"],
  "settings/environment=sandbox": ["Sandbox", "Sandbox"],
  "settings/endpoint": ENDPOINT,
  "settings/endpoint?": ENDPOINT_HINT,
  "credentials/private_key": ["Signing key", "Signaturschlüssel"],
  "credentials/private_key?": [
    "The contents of the .p8 file, which Apple lets you load once.",
    "Der Inhalt der .p8-Datei, die Apple nur einmal herausgibt.",
  ],
} satisfies KindTexts<"apns">;

export const webpushTexts = {
  name: ["Web Push", "Web Push"],
  about: ["The browsers’ own push services, without an account.", "Die eigenen Push-Dienste der Browser, ohne Konto."],
  "settings/subject": ["Contact", "Kontakt"],
  "settings/subject?": ["For push services: mailto: or https:.", "Für Push-Dienste: mailto: oder https:."],
  "settings/public_key": ["Public VAPID key", "Öffentlicher VAPID-Schlüssel"],
  "settings/public_key?": [
    "Leave both keys empty, and a pair is made. With another pair, browsers have to subscribe again.",
    "Lassen Sie beide Schlüssel leer, dann wird ein Paar erzeugt. Mit einem anderen Paar müssen Browser neu abonnieren.",
  ],
  "credentials/private_key": ["Private VAPID key", "Privater VAPID-Schlüssel"],
} satisfies KindTexts<"webpush">;
