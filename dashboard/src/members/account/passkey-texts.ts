import type { Texts } from "../../platform/language/texts.ts";

export const passkeyTexts = {
  passkeys: ["Passkeys", "Passkeys"],
  lead: [
    "A passkey signs you in alone: your device checks that it is you. There is nothing to remember or to steal.",
    "Ein Passkey meldet Sie allein an: Ihr Gerät prüft, dass Sie es sind. Es gibt nichts zu merken oder zu stehlen.",
  ],
  unknown: [
    "This browser knows no passkeys here. They need https, and a recent browser.",
    "Dieser Browser kennt hier keine Passkeys. Sie brauchen https und einen neueren Browser.",
  ],
  add: ["Add a passkey", "Passkey hinzufügen"],
  addLead: [
    "Your browser asks next where to keep it: this device, your password manager, or a security key.",
    "Ihr Browser fragt gleich, wo er liegen soll: auf diesem Gerät, im Passwortmanager oder auf einem Sicherheitsschlüssel.",
  ],
  goOn: ["Go on", "Weiter"],
  name: ["Name", "Name"],
  nameHint: ["To know it again in this list.", "Damit Sie ihn in dieser Liste wiedererkennen."],
  password: ["Password", "Passwort"],
  passwordHint: [
    "So that nobody else at your open session can add theirs. Without a password, sign out and in again.",
    "Damit niemand an Ihrer offenen Sitzung seinen eigenen hinzufügt. Ohne Passwort: Melden Sie sich ab und wieder an.",
  ],
  notMade: [
    "No passkey was made. Try again, at the address where the service runs.",
    "Es wurde kein Passkey erzeugt. Versuchen Sie es noch einmal, unter der Adresse des Dienstes.",
  ],
  added: ["The passkey is added.", "Der Passkey ist hinzugefügt."],
  made: ["made {time}", "erzeugt {time}"],
  used: ["used {time}", "benutzt {time}"],
  unused: ["never used", "nie benutzt"],
  remove: ["Remove", "Entfernen"],
  removeTitle: ["Remove “{name}”?", "„{name}“ entfernen?"],
  removeSure: [
    "It no longer signs you in. Your sessions stay. Remove it from your device, too: there it is still offered.",
    "Er meldet Sie nicht mehr an. Ihre Sitzungen bleiben. Entfernen Sie ihn auch vom Gerät: Dort wird er sonst noch angeboten.",
  ],
  removed: ["The passkey is removed.", "Der Passkey ist entfernt."],
} satisfies Texts;
