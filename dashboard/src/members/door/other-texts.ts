import type { Texts } from "../../platform/language/texts.ts";

export const otherTexts = {
  or: ["or", "oder"],
  withPasskey: ["Sign in with a passkey", "Mit einem Passkey anmelden"],
  noPasskey: [
    "No passkey was used. Add one in your account, at the address where the service runs.",
    "Kein Passkey wurde benutzt. Fügen Sie in Ihrem Konto einen hinzu, unter der Adresse des Dienstes.",
  ],
  withProvider: ["Sign in with your organisation", "Mit Ihrer Organisation anmelden"],
  workspaceId: ["Which workspace?", "Welcher Arbeitsbereich?"],
  workspaceHint: [
    "Its id, which is in each of its addresses, or ask an owner for the link to sign in.",
    "Seine ID, die in jeder seiner Adressen steht, oder fragen Sie einen Eigentümer nach dem Link zur Anmeldung.",
  ],
  toProvider: ["Go on", "Weiter"],
  elsewhere: [
    "Sign in in the other window. This page goes on by itself.",
    "Melden Sie sich im anderen Fenster an. Diese Seite macht von selbst weiter.",
  ],
  oidc_failed: [
    "The sign-in with your organisation failed, or this workspace has none set up. The service's log has the reason.",
    "Die Anmeldung mit Ihrer Organisation ist gescheitert, oder für den Arbeitsbereich ist keine eingerichtet. Das Protokoll des Dienstes nennt den Grund.",
  ],
  oidc_not_permitted: [
    "Your organisation signed you in, but gives you no role in this workspace. Ask an owner.",
    "Ihre Organisation hat Sie angemeldet, gibt Ihnen aber keine Rolle in diesem Arbeitsbereich. Fragen Sie einen Eigentümer.",
  ],
  oidc_account_in_use: [
    "There is an account with your address already, of another workspace. Ask an owner for an invitation, sign in with the account, and accept it.",
    "Mit Ihrer Adresse gibt es schon ein Konto eines anderen Arbeitsbereichs. Bitten Sie einen Eigentümer um eine Einladung, melden Sie sich mit dem Konto an, und nehmen Sie sie an.",
  ],
  oidc_no_email: [
    "Your organisation did not say a verified email address of yours.",
    "Ihre Organisation hat keine bestätigte E-Mail-Adresse von Ihnen genannt.",
  ],
} satisfies Texts;
