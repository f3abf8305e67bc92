import type { Texts } from "../platform/language/texts.ts";

export const texts = {
  transactionals: ["Transactionals", "Transaktionale Nachrichten"],
  lead: [
    "One message to one person, when your application calls: confirmations, codes, receipts.",
    "Eine Nachricht an eine Person, wenn Ihre Anwendung sie aufruft: Bestätigungen, Codes, Belege.",
  ],
  search: ["Name, trigger name or id", "Name, Auslösername oder ID"],
  channel: ["Channel", "Kanal"],
  email: ["Email", "E-Mail"],
  push: ["Push", "Push"],
  sms: ["SMS", "SMS"],
  new: ["New transactional", "Neue Nachricht"],
  newTitle: ["New transactional", "Neue transaktionale Nachricht"],
  none: ["There is no transactional yet", "Es gibt noch keine transaktionale Nachricht"],
  noneBody: [
    "Write one, such as an order confirmation. Your application then sends it with one call.",
    "Schreiben Sie eine, etwa eine Bestellbestätigung. Ihre Anwendung sendet sie dann mit einem Aufruf.",
  ],
  weekSent: [
    "{count} sent in 7 days||{count} sent in 7 days",
    "{count} in 7 Tagen gesendet||{count} in 7 Tagen gesendet",
  ],
  weekFailed: ["{number} failed", "{number} fehlgeschlagen"],
  name: ["Name", "Name"],
  triggerName: ["Trigger name", "Auslösername"],
  triggerNameHint: [
    "By which your application calls it. Without one it uses the id.",
    "Unter dem Ihre Anwendung sie aufruft. Ohne ihn nimmt sie die ID.",
  ],
  content: ["What it says", "Was darin steht"],
  sending: ["Who gets it, and how", "Wer sie bekommt, und wie"],
  preference: ["It goes to", "Sie geht an"],
  subscribed: ["subscribed people", "Personen, die nichts abbestellt haben"],
  subscribedHint: [
    "Whoever unsubscribed does not get it, and the delivery says so.",
    "Wer abbestellt hat, bekommt sie nicht, und die Zustellung sagt das.",
  ],
  everybody: ["everybody, also people who unsubscribed", "alle, auch wer abbestellt hat"],
  everybodyHint: [
    "For what people need in any case: a receipt, a password reset, a security notice.",
    "Für das, was Personen in jedem Fall brauchen: Beleg, neues Passwort, Sicherheitshinweis.",
  ],
  legal: [
    "Only with a legal basis. Advertising to people who unsubscribed is against the law in many countries, and can cost this workspace its account.",
    "Nur mit einer Rechtsgrundlage. Werbung an Personen, die abbestellt haben, ist in vielen Ländern verboten und kann diesen Arbeitsbereich das Konto kosten.",
  ],
  topic: ["Topic", "Thema"],
  topicHint: ["People can unsubscribe from a topic alone.", "Personen können ein Thema einzeln abbestellen."],
  noTopic: ["none", "keines"],
  opens: ["Track opens", "Öffnungen messen"],
  clicks: ["Track clicks", "Klicks messen"],
  trackingHint: [
    "Links then lead through this service. Leave it off for links with a secret in them.",
    "Links führen dann über diesen Dienst. Bei Links mit einem Geheimnis besser aus.",
  ],
  once: ["At most once", "Höchstens einmal"],
  onceHint: [
    "For one-time codes: if it is unknown whether the provider took it, it is not sent again.",
    "Für Einmalcodes: Ist unklar, ob der Anbieter sie angenommen hat, wird sie nicht noch einmal gesendet.",
  ],
  create: ["Create", "Anlegen"],
  created: ["The transactional is created.", "Die Nachricht ist angelegt."],
} satisfies Texts;
