import type { Texts } from "../../platform/language/texts.ts";

/** What a gate looked at. */
export const gateTexts = {
  noScreen: ["no screen given", "kein Bildschirm angegeben"],
  onScreen: ["on “{screen}”", "auf „{screen}“"],
  allScreens: ["shown on all screens", "erscheint auf allen Bildschirmen"],
  onlyScreens: ["shown on {names}", "erscheint auf {names}"],
  except: [", except {names}", ", außer {names}"],
  nearly: [
    "; it nearly fits {names}: names are compared by case and by every sign",
    "; er passt fast zu {names}: verglichen werden Groß- und Kleinschreibung und jedes Zeichen",
  ],
  noQuiet: ["no quiet hours", "keine Ruhezeiten"],
  quiet_workspace: [
    "quiet from {start} to {end}; the workspace's clock shows {shows}",
    "Ruhe von {start} bis {end}; die Uhr des Arbeitsbereichs zeigt {shows}",
  ],
  quiet_device: [
    "quiet from {start} to {end}; the device's clock shows {shows}",
    "Ruhe von {start} bis {end}; die Uhr des Geräts zeigt {shows}",
  ],
  neverExpires: ["never expires", "läuft nie ab"],
  expires: ["expires at {time}", "läuft ab: {time}"],
  shownAny: ["shown {count} times, with no limit", "{count}-mal gezeigt, ohne Grenze"],
  shownOf: ["shown {count} of {most} times", "{count} von {most} Malen gezeigt"],
  overAll: [", over all deliveries of this message", ", über alle Zustellungen dieser Nachricht"],
  noPause: ["no pause between impressions", "keine Pause zwischen Einblendungen"],
  rests: ["rests until {time}", "pausiert bis {time}"],
  exempt: ["exempt: critical, or an inbox card", "ausgenommen: dringend oder eine Karte des Posteingangs"],
  room: [
    "the workspace's cap leaves room, or there is none",
    "die Obergrenze des Arbeitsbereichs lässt Platz, oder es gibt keine",
  ],
  capped: ["the workspace's cap holds until {time}", "die Obergrenze des Arbeitsbereichs gilt bis {time}"],
  over: ["it is over: {status}", "sie ist vorbei: {status}"],
} satisfies Texts;
