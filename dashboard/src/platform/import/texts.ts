import type { Texts } from "../language/texts.ts";

export const texts = {
  file: ["File", "Datei"],
  choose: ["Choose a file", "Datei wählen"],
  import: ["Import", "Importieren"],
  sending: ["{share} of the file is sent", "{share} der Datei sind gesendet"],
  progress: ["Progress of the import", "Fortschritt des Imports"],
  import_running: ["A file is being read.", "Eine Datei wird gelesen."],
  import_done: ["The file is imported.", "Die Datei ist importiert."],
  import_failed: ["The import failed.", "Der Import ist gescheitert."],
  import_cut_off: [
    "The import was cut off: send the file again.",
    "Der Import brach ab: Senden Sie die Datei noch einmal.",
  ],
  importCounts: [
    "{rows} lines: {added} new, {known} known, {refused} refused.",
    "{rows} Zeilen: {added} neu, {known} bekannt, {refused} abgelehnt.",
  ],
  left: ["Done {time}.", "Fertig {time}."],
  refusedLines: ["Refused lines", "Abgelehnte Zeilen"],
  firstLines: ["These are the first {count}.", "Das sind die ersten {count}."],
  line: ["Line {line}: {message}", "Zeile {line}: {message}"],
  hide: ["Hide", "Ausblenden"],
} satisfies Texts;
