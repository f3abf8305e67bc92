import type { Texts } from "../language/texts.ts";

export const texts = {
  loading: ["Loading", "Wird geladen"],
  retry: ["Try again", "Erneut versuchen"],
  refused: ["The service refused this", "Der Dienst hat das abgelehnt"],
  unreached: ["No answer from the service", "Keine Antwort vom Dienst"],
  unreachedBody: [
    "The network or the service is not there. It is asked again by itself.",
    "Das Netz oder der Dienst ist nicht erreichbar. Es wird von selbst weiter gefragt.",
  ],
  broken: ["This page has an error", "Diese Seite hat einen Fehler"],
  gone: ["There is nothing here", "Hier ist nichts"],
  noRight: ["Your role does not allow this", "Ihre Rolle erlaubt das nicht"],
  onlyRead: ["Only editors and owners can change this.", "Nur Bearbeiter und Eigentümer können das ändern."],
  request: ["Request {id}", "Anfrage {id}"],
  wait: ["Try again in {seconds} s.", "In {seconds} s noch einmal versuchen."],
  busy: [
    "The service is busy. It is asked again in {seconds} s.",
    "Der Dienst ist ausgelastet. Er wird in {seconds} s noch einmal gefragt.",
  ],
  copy: ["Copy", "Kopieren"],
  copied: ["Copied", "Kopiert"],
  newerRows: ["There are newer ones: show them", "Es gibt neuere: anzeigen"],
  more: ["Load more", "Mehr laden"],
  lost: [
    "No connection to the service. What you typed stays; trying again …",
    "Keine Verbindung zum Dienst. Eingaben bleiben erhalten; neuer Versuch …",
  ],
  newer: ["A newer version is installed.", "Eine neuere Version ist installiert."],
  reload: ["Load it", "Laden"],
  done: ["Done", "Fertig"],
} satisfies Texts;
