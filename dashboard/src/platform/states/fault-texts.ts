import type { ErrorCode } from "@tidings/contract/errors/errors";
import type { Texts } from "../language/texts.ts";

/**
 * What a refusal of the service means, by its code. It is shown to readers of other languages than the service's own, which is English. Codes that a form says at
 * a field, or in words of its own, are not here.
 */
export const faultTexts = {
  not_permitted: ["Your role does not allow this.", "Ihre Rolle erlaubt das nicht."],
  fresh_sign_in_required: ["Sign in once more for this.", "Melden Sie sich dafür noch einmal an."],
  unauthenticated: ["You are no longer signed in.", "Sie sind nicht mehr angemeldet."],
  workspace_suspended: ["The workspace is suspended.", "Der Arbeitsbereich ist gesperrt."],
  not_found: ["This is not there, or no longer.", "Das gibt es nicht oder nicht mehr."],
  person_not_found: ["This person is not there, or no longer.", "Diese Person gibt es nicht oder nicht mehr."],
  person_erased: ["This person was erased.", "Diese Person wurde gelöscht."],
  person_busy: [
    "This person is being changed. Try again in a moment.",
    "Diese Person wird gerade geändert. Versuchen Sie es gleich noch einmal.",
  ],
  conflict: ["This does not go with what is there already.", "Das verträgt sich nicht mit dem, was schon da ist."],
  changed_meanwhile: ["Somebody has changed this meanwhile.", "Jemand hat das inzwischen geändert."],
  wrong_status: ["The present status does not allow this.", "Der jetzige Zustand erlaubt das nicht."],
  already_entered: ["The person is in the campaign already.", "Die Person ist schon in der Kampagne."],
  last_owner: ["A workspace needs at least one owner.", "Ein Arbeitsbereich braucht mindestens einen Eigentümer."],
  limit_reached: ["There can’t be more of them.", "Mehr davon geht nicht."],
  audience_too_complex: ["These conditions are too large.", "Diese Bedingungen sind zu umfangreich."],
  audience_empty: ["Nobody is in the audience.", "In der Zielgruppe ist niemand."],
  in_app_disabled: [
    "In-app messages are switched off in this workspace.",
    "In-App-Nachrichten sind in diesem Arbeitsbereich ausgeschaltet.",
  ],
  recipient_missing: ["The person has no address for this channel.", "Die Person hat keine Adresse für diesen Kanal."],
  recipient_invalid: ["The address is not a valid one.", "Die Adresse ist keine gültige."],
  webhook_disabled: ["The webhook is switched off.", "Der Webhook ist ausgeschaltet."],
  delivery_not_resendable: [
    "This delivery can’t be sent again.",
    "Diese Zustellung lässt sich nicht noch einmal senden.",
  ],
  delivery_not_cancelable: [
    "This delivery can no longer be canceled.",
    "Diese Zustellung lässt sich nicht mehr abbrechen.",
  ],
  content_not_retained: ["The content was not kept.", "Der Inhalt wurde nicht aufbewahrt."],
  payload_too_large: ["This is too large.", "Das ist zu groß."],
  headers_too_large: ["The address is too long.", "Die Adresse ist zu lang."],
  invalid_request: ["Something that was given is wrong.", "Eine Angabe stimmt nicht."],
  rate_limited: ["These were too many requests.", "Das waren zu viele Anfragen."],
  busy: ["The service is busy.", "Der Dienst ist gerade ausgelastet."],
  request_timeout: ["The request did not arrive in time.", "Die Anfrage kam nicht rechtzeitig an."],
  unavailable: ["The service can’t work at the moment.", "Der Dienst kann gerade nicht arbeiten."],
  internal_error: ["The service has a fault.", "Der Dienst hat einen Fehler."],
} as const satisfies Partial<Record<ErrorCode, Texts[string]>>;
