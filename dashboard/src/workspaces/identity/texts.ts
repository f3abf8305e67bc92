import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  identity: ["Identity", "Identität"],
  lead: [
    "Everybody can read a public key. A person token, which your back end signs, proves who a call of an application is about.",
    "Einen öffentlichen Schlüssel kann jeder lesen. Ein Personen-Token, das Ihr Server signiert, beweist, um wen es bei einem Aufruf geht.",
  ],
  onlyOwners: ["Only owners can change this.", "Nur Eigentümer können das ändern."],
  mode: ["Proof of identity", "Identitätsnachweis"],
  off: ["Off", "Aus"],
  offHint: [
    "Anybody with the public key can speak for anybody, also about addresses.",
    "Wer den öffentlichen Schlüssel hat, kann für jeden sprechen, auch über Adressen.",
  ],
  monitor: ["Monitor", "Beobachten"],
  monitorHint: [
    "Calls without proof work and are counted. Addresses that nothing proves are claims, and nothing is sent to them.",
    "Aufrufe ohne Nachweis gelten und werden gezählt. Unbewiesene Adressen sind Behauptungen, an die nichts gesendet wird.",
  ],
  required: ["Required", "Verlangt"],
  requiredHint: [
    "Calls with the public key that prove nothing are refused.",
    "Aufrufe mit dem öffentlichen Schlüssel, die nichts beweisen, werden abgelehnt.",
  ],
  counts: ["The last 7 days", "Die letzten 7 Tage"],
  unsigned: ["Calls without a token", "Aufrufe ohne Token"],
  invalid: ["Calls with a token that proves nothing", "Aufrufe mit einem Token, das nichts beweist"],
  claimed: ["Addresses that stayed claims", "Adressen, die Behauptungen blieben"],
  wouldRefuse: [
    "“Required” would refuse the calls without a token and those whose token proves nothing.",
    "„Verlangt“ würde die Aufrufe ohne Token und die mit einem untauglichen Token ablehnen.",
  ],
  onlyClaims: [
    "No call would be refused. To prove the addresses, put them into the token as email and phone.",
    "Kein Aufruf würde abgelehnt. Um die Adressen zu beweisen, nehmen Sie sie als email und phone in das Token auf.",
  ],
  allProven: ["Each call proved who the person is.", "Jeder Aufruf hat bewiesen, wer die Person ist."],
  notCounted: [
    "Nothing is counted while it is off. Monitor first to see what would be refused.",
    "Solange es aus ist, wird nichts gezählt. Beobachten Sie zuerst, was abgelehnt würde.",
  ],
  requireTitle: ["Require proof?", "Nachweis verlangen?"],
  requireYes: ["Require it", "Verlangen"],
  requireSure: [
    "{count} call of the last 7 days would have been refused. Applications that still make such calls stop working within seconds.||{count} calls of the last 7 days would have been refused. Applications that still make such calls stop working within seconds.",
    "{count} Aufruf der letzten 7 Tage wäre abgelehnt worden. Anwendungen, die noch so aufrufen, funktionieren binnen Sekunden nicht mehr.||{count} Aufrufe der letzten 7 Tage wären abgelehnt worden. Anwendungen, die noch so aufrufen, funktionieren binnen Sekunden nicht mehr.",
  ],
  requireSafe: [
    "No call of the last 7 days would have been refused. From now on, calls that prove nothing are.",
    "Kein Aufruf der letzten 7 Tage wäre abgelehnt worden. Ab jetzt werden Aufrufe ohne Nachweis abgelehnt.",
  ],
  offTitle: ["Turn it off?", "Ausschalten?"],
  offYes: ["Turn it off", "Ausschalten"],
  offSure: [
    "Anybody who reads the public key from your application can then read and change the messages and attributes of any person, and their addresses are used as reported.",
    "Wer den öffentlichen Schlüssel aus Ihrer Anwendung liest, kann dann Nachrichten und Attribute jeder Person lesen und ändern, und gemeldete Adressen werden benutzt.",
  ],
  saved: ["Saved. It counts within 5 seconds.", "Gespeichert. Es gilt binnen 5 Sekunden."],
  secrets: ["Signing secrets", "Signaturschlüssel"],
  secretsLead: [
    "Your back end signs person tokens with one. Two may be live, to replace one without a gap.",
    "Damit signiert Ihr Server Personen-Tokens. Zwei dürfen gelten, um einen lückenlos zu ersetzen.",
  ],
  twoLive: [
    "Two are live, the most there can be. Revoke the older one once no server uses it.",
    "Zwei gelten, mehr sind nicht möglich. Widerrufen Sie den älteren, sobald ihn kein Server mehr benutzt.",
  ],
  newSecret: ["New secret", "Neuer Schlüssel"],
  noSecret: ["No signing secret yet", "Noch kein Signaturschlüssel"],
  noSecretBody: [
    "Make one and keep it in your back end, never in an application.",
    "Erzeugen Sie einen und behalten Sie ihn auf Ihrem Server, nie in einer Anwendung.",
  ],
  madeTitle: ["Copy the secret now", "Jetzt den Schlüssel kopieren"],
  madeLead: [
    "It is shown this once. Your back end needs both values.",
    "Er wird nur jetzt gezeigt. Ihr Server braucht beide Werte.",
  ],
  made: ["made {time}", "erzeugt {time}"],
  ended: ["revoked {time}", "widerrufen {time}"],
  live: ["live", "gilt"],
  revoked: ["revoked", "widerrufen"],
  revoke: ["Revoke", "Widerrufen"],
  revokeSure: [
    "Tokens that it signed prove nothing any more, within 5 seconds. Calls with them are refused where proof is required. This can't be undone.",
    "Damit signierte Tokens beweisen binnen 5 Sekunden nichts mehr. Aufrufe damit werden abgelehnt, wo der Nachweis verlangt ist. Das lässt sich nicht rückgängig machen.",
  ],
  revokeLast: [
    "It is the only live one: no token proves anything until you make another and your back end uses it. Where proof is required, applications stop working. This can't be undone.",
    "Es ist der einzige, der gilt: Kein Token beweist etwas, bis Sie einen neuen erzeugen und Ihr Server ihn benutzt. Wo der Nachweis verlangt ist, funktionieren Anwendungen nicht mehr. Das lässt sich nicht rückgängig machen.",
  ],
  revokedNow: ["The secret is revoked.", "Der Schlüssel ist widerrufen."],
  sample: ["In your back end", "Auf Ihrem Server"],
  sampleLead: [
    "The application sends the token in the header X-Person-Token, or by getPersonToken of @tidings/web. It lives 24 hours at most.",
    "Die Anwendung sendet das Token im Header X-Person-Token, oder durch getPersonToken von @tidings/web. Es gilt höchstens 24 Stunden.",
  ],
} satisfies Texts;
