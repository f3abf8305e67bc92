import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  pause: ["Pause", "Anhalten"],
  resume: ["Resume", "Fortsetzen"],
  cancel: ["Cancel", "Abbrechen"],
  cancelYes: ["Cancel the broadcast", "Rundsendung abbrechen"],
  cancelNo: ["Keep it", "Behalten"],
  cancelTitle: ["Cancel “{name}”?", "„{name}“ abbrechen?"],
  pauseTitle: ["Pause “{name}”?", "„{name}“ anhalten?"],
  resumeTitle: ["Resume “{name}”?", "„{name}“ fortsetzen?"],
  pauseSure: [
    "Nothing more is queued until you resume it. What is queued already is still sent.",
    "Bis Sie sie fortsetzen, kommt nichts mehr in die Warteschlange. Was schon darin ist, wird noch gesendet.",
  ],
  resumeSure: [
    "It goes on with those who have not got it yet.",
    "Sie geht bei denen weiter, die sie noch nicht haben.",
  ],
  cancelSure: [
    "Nobody else gets it, and it can't be resumed. What is queued already is still sent. A copy can be sent anew.",
    "Niemand sonst bekommt sie, und sie lässt sich nicht fortsetzen. Was schon in der Warteschlange ist, wird noch gesendet. Eine Kopie lässt sich neu senden.",
  ],
  cancelSureScheduled: [
    "It is not sent at that time, and can't be changed any more. A copy can be sent anew.",
    "Sie wird dann nicht gesendet und lässt sich nicht mehr ändern. Eine Kopie lässt sich neu senden.",
  ],
  leftOver: [
    "{count} person has not got it yet.||{count} people have not got it yet.",
    "{count} Person hat sie noch nicht.||{count} Personen haben sie noch nicht.",
  ],
  pauseDone: ["Paused.", "Angehalten."],
  resumeDone: ["It goes on.", "Es geht weiter."],
  cancelDone: ["Canceled.", "Abgebrochen."],
  recall: ["Take back", "Zurückholen"],
  recallTitle: ["Take “{name}” back?", "„{name}“ zurückholen?"],
  recallSure: [
    "It disappears wherever nobody closed it yet, also from screens on which it is open now. Whoever closed or clicked it has seen it. This can't be undone.",
    "Sie verschwindet überall, wo sie noch niemand geschlossen hat, auch von Bildschirmen, auf denen sie gerade offen ist. Wer sie geschlossen oder geklickt hat, hat sie gesehen. Das lässt sich nicht rückgängig machen.",
  ],
  recallSureRunning: [
    "The rest of the broadcast is canceled first.",
    "Der Rest der Rundsendung wird zuerst abgebrochen.",
  ],
  recallDone: [
    "Taken back from {count} person.||Taken back from {count} people.",
    "Bei {count} Person zurückgeholt.||Bei {count} Personen zurückgeholt.",
  ],
  copy: ["Copy as a draft", "Als Entwurf kopieren"],
  copyName: ["Copy of {name}", "Kopie von {name}"],
  copied: ["This is the copy, a draft.", "Das ist die Kopie, ein Entwurf."],
  more: ["More", "Mehr"],
  remove: ["Remove", "Entfernen"],
  removeTitle: ["Remove “{name}”?", "„{name}“ entfernen?"],
  removeSureDraft: [
    "Nothing of it was sent. It can't be brought back.",
    "Nichts davon wurde gesendet. Sie lässt sich nicht wiederherstellen.",
  ],
  removeSure: [
    "It disappears from this list. Its deliveries and their numbers stay.",
    "Sie verschwindet aus dieser Liste. Ihre Zustellungen und deren Zahlen bleiben.",
  ],
  removed: ["The broadcast is removed.", "Die Rundsendung ist entfernt."],
} satisfies Texts;
