import type { Texts } from "../platform/language/texts.ts";

/** What is wrong, by the code of the answer or of what was left out (docs/ingestion.md). */
export const titleTexts = {
  invalid_request: ["Wrong shape", "Falsche Form"],
  screen_name: ["Name of a screen", "Name eines Bildschirms"],
  person_erased: ["Erased person", "Gelöschte Person"],
  anonymous: ["Nobody is named", "Niemand ist genannt"],
  alias: ["Alias", "Alias"],
  unknown_type: ["Unknown type", "Unbekannter Typ"],
  invalid: ["Wrong shape", "Falsche Form"],
  too_large: ["Too large", "Zu groß"],
  payload_too_large: ["Too large", "Zu groß"],
  another_person: ["Another person", "Andere Person"],
  trait: ["Value of an attribute", "Wert eines Attributs"],
  metric: ["Unknown metric", "Unbekannte Kennzahl"],
  internal_error: ["Refused by the database", "Von der Datenbank abgelehnt"],
  refused: ["Refused by the database", "Von der Datenbank abgelehnt"],
  person_token_missing: ["No person token", "Kein Personen-Token"],
  person_token_invalid: ["Wrong person token", "Falsches Personen-Token"],
  person_token_expired: ["Expired person token", "Abgelaufenes Personen-Token"],
  key_not_permitted: ["Wrong kind of key", "Falsche Art von Schlüssel"],
  unsupported_media_type: ["Not JSON", "Kein JSON"],
  rate_limited: ["Over the limit", "Über dem Limit"],
  limit_reached: ["Over the limit", "Über dem Limit"],
  person_not_found: ["Unknown person", "Unbekannte Person"],
  delivery_not_found: ["Unknown delivery", "Unbekannte Zustellung"],
  idempotency_key_reused: ["Idempotency key reused", "Idempotenzschlüssel wiederverwendet"],
} satisfies Texts;

/** What to do about it. */
export const adviceTexts = {
  invalid_request: [
    "Change the application so that it sends the fields named below in the form that they say. The call counts as never made: send it again.",
    "Ändern Sie die Anwendung, damit sie die unten genannten Felder in dieser Form schickt. Der Aufruf gilt als nie gemacht: Senden Sie ihn noch einmal.",
  ],
  screen_name: [
    "Report names that people would recognise, such as Home or Checkout, and not those of classes or instances. The event itself does no harm.",
    "Melden Sie Namen, die Menschen erkennen, wie Start oder Kasse, und nicht die von Klassen oder Instanzen. Das Ereignis selbst schadet nicht.",
  ],
  person_erased: [
    "Nothing: the person was erased less than 30 days ago, and an old device still reports. An identify brings them back.",
    "Nichts: Die Person wurde vor weniger als 30 Tagen gelöscht, und ein altes Gerät meldet noch. Ein identify bringt sie zurück.",
  ],
  anonymous: [
    "Call identify with the person’s id before anything else: what names nobody can’t be kept.",
    "Rufen Sie zuerst identify mit der ID der Person auf: Was niemanden nennt, kann nicht behalten werden.",
  ],
  alias: [
    "Merge the two people instead: on the page of one of them, or by the API.",
    "Führen Sie stattdessen die beiden Personen zusammen: auf der Seite von einer, oder über die API.",
  ],
  unknown_type: [
    "Nothing, if you do not need it here: Tidings has no such type. Otherwise send a track.",
    "Nichts, wenn Sie es hier nicht brauchen: Tidings hat diesen Typ nicht. Sonst senden Sie ein track.",
  ],
  invalid: [
    "Change what the client sends as the reason says. Segment’s clients get success for it and do not repeat it.",
    "Ändern Sie, was der Client schickt, wie der Grund sagt. Clients von Segment bekommen dafür Erfolg und wiederholen es nicht.",
  ],
  too_large: [
    "Send less in one message, for example only the properties that you use.",
    "Senden Sie weniger in einer Nachricht, etwa nur die Eigenschaften, die Sie benutzen.",
  ],
  payload_too_large: [
    "Send less in one call: smaller batches, or only the properties that you use.",
    "Senden Sie weniger in einem Aufruf: kleinere Stapel, oder nur die Eigenschaften, die Sie benutzen.",
  ],
  another_person: [
    "The token is for another person than the message. Take a new token when somebody else signs in.",
    "Das Token ist für eine andere Person als die Nachricht. Holen Sie ein neues, wenn sich jemand anderes anmeldet.",
  ],
  trait: [
    "Send the attribute in the form that its name asks for. The others of the call were kept.",
    "Senden Sie das Attribut in der Form, die sein Name verlangt. Die anderen des Aufrufs wurden behalten.",
  ],
  metric: [
    "Nothing: Tidings does not count this. Those that it has are on the page about migrating.",
    "Nichts: Tidings zählt das nicht. Was es zählt, steht auf der Seite über den Umzug.",
  ],
  internal_error: [
    "The data has the right form and still can’t be stored. Report it with the id of the request.",
    "Die Daten haben die richtige Form und lassen sich doch nicht speichern. Melden Sie es mit der ID der Anfrage.",
  ],
  refused: [
    "The data has the right form and still can’t be stored, for example a number that is too large. Look at the values below.",
    "Die Daten haben die richtige Form und lassen sich doch nicht speichern, etwa eine zu große Zahl. Sehen Sie sich die Werte unten an.",
  ],
  person_token_missing: [
    "The workspace asks applications for proof. Fetch a token for the person from your back end, and send it along.",
    "Der Arbeitsbereich verlangt von Anwendungen einen Beweis. Holen Sie von Ihrem Server ein Token für die Person, und schicken Sie es mit.",
  ],
  person_token_invalid: [
    "Sign it with a live signing secret, for the same person, and for at most 24 hours.",
    "Signieren Sie es mit einem gültigen Signaturgeheimnis, für dieselbe Person und für höchstens 24 Stunden.",
  ],
  person_token_expired: [
    "Let the application fetch a new token and repeat the call; Tidings’ own clients do.",
    "Lassen Sie die Anwendung ein neues Token holen und den Aufruf wiederholen; die Clients von Tidings tun das.",
  ],
  key_not_permitted: [
    "Use a secret key in your back end, with the scope that reports people and events.",
    "Benutzen Sie auf Ihrem Server einen geheimen Schlüssel mit dem Bereich, der Personen und Ereignisse meldet.",
  ],
  unsupported_media_type: [
    "Send JSON, with the header Content-Type: application/json.",
    "Senden Sie JSON, mit dem Header Content-Type: application/json.",
  ],
  rate_limited: [
    "Wait for as long as Retry-After says, and repeat the call. The limits are in the settings.",
    "Warten Sie so lange, wie Retry-After sagt, und wiederholen Sie den Aufruf. Die Limits stehen in den Einstellungen.",
  ],
  person_not_found: ["Call identify for the person first.", "Rufen Sie zuerst identify für die Person auf."],
  delivery_not_found: [
    "Report with the delivery_id and the person of the same message.",
    "Melden Sie mit der delivery_id und der Person derselben Nachricht.",
  ],
} satisfies Texts;
