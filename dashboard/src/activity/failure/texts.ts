import type { Texts } from "../../platform/language/texts.ts";

/** What it means that a message did not arrive, and what one can do. */
export const failureTexts = {
  todo: ["What to do", "Was zu tun ist"],
  words: ["{who} said", "{who} meldete"],
  service: ["The service", "Der Dienst"],
  person: ["Open the person", "Person öffnen"],
  suppressions: ["Open the suppression list", "Sperrliste öffnen"],
  channels: ["Open channels and providers", "Kanäle und Anbieter öffnen"],
  explain: ["Why not shown?", "Warum nicht gezeigt?"],
  waiting: [
    "Waits for its next attempt. The last one failed.",
    "Wartet auf den nächsten Versuch. Der letzte schlug fehl.",
  ],
  waitingTodo: [
    "Nothing: it is tried again {time}, for up to 17 hours. If all messages wait, look at the provider.",
    "Nichts: Der nächste Versuch ist {time}, bis zu 17 Stunden lang. Wenn alle Nachrichten warten, prüfen Sie den Anbieter.",
  ],
  soon: ["soon", "bald"],
  means_unsubscribed: ["The person wants no messages at all.", "Die Person möchte gar keine Nachrichten."],
  means_channel_unsubscribed: ["The person turned this channel off.", "Die Person hat diesen Kanal abgestellt."],
  means_topic_unsubscribed: [
    "The person turned the topic of this message off.",
    "Die Person hat das Thema dieser Nachricht abgestellt.",
  ],
  todo_unsubscribed: [
    "Respect it. If the message must reach everybody, such as a receipt, set its subscription preference to “all”.",
    "Respektieren Sie es. Muss die Nachricht alle erreichen, etwa eine Quittung, stellen Sie ihre Abo-Regel auf „all“.",
  ],
  means_manual: [
    "The address is on the suppression list: somebody put it there.",
    "Die Adresse steht auf der Sperrliste: Jemand hat sie eingetragen.",
  ],
  todo_suppressed: [
    "If the entry is a mistake, remove it from the list and send the message again.",
    "Ist der Eintrag ein Irrtum, entfernen Sie ihn von der Liste und senden die Nachricht erneut.",
  ],
  means_hard_bounce: [
    "The address is on the suppression list, because a message to it bounced for good.",
    "Die Adresse steht auf der Sperrliste, weil eine Nachricht dorthin endgültig zurückkam.",
  ],
  todo_other_address: [
    "Ask the person for another address. If it works again, remove it from the suppression list and send the message again.",
    "Bitten Sie die Person um eine andere Adresse. Geht sie wieder, entfernen Sie sie von der Sperrliste und senden erneut.",
  ],
  means_complaint: [
    "The address is on the suppression list, because its reader reported a message as spam.",
    "Die Adresse steht auf der Sperrliste, weil jemand dort eine Nachricht als Spam gemeldet hat.",
  ],
  means_complained: [
    "The reader reported this message as spam. Nothing more is sent to the address.",
    "Die Nachricht wurde als Spam gemeldet. An die Adresse wird nichts mehr gesendet.",
  ],
  todo_complaint: [
    "Do not send there again. Many complaints make mailbox providers distrust your domain: check who got this message, and why.",
    "Senden Sie nicht mehr dorthin. Viele Beschwerden schaden dem Ruf Ihrer Domain: Prüfen Sie, wer diese Nachricht bekam und warum.",
  ],
  means_stop: [
    "The number is on the suppression list: its owner sent STOP.",
    "Die Nummer steht auf der Sperrliste: Ihr Besitzer schickte STOP.",
  ],
  todo_stop: [
    "Only the owner can undo this, by sending START.",
    "Nur der Besitzer kann das aufheben, indem er START schickt.",
  ],
  means_no_address: ["The person had no address for this channel.", "Die Person hatte keine Adresse für diesen Kanal."],
  todo_no_address: [
    "Let your application identify the person with an email, a phone number or a device. An address that was only claimed is not used.",
    "Ihre Anwendung muss die Person mit E-Mail, Telefonnummer oder Gerät identifizieren. Nur behauptete Adressen werden nicht benutzt.",
  ],
  means_erased: ["The person was erased before it was sent.", "Die Person wurde vor dem Senden gelöscht."],
  means_merged: [
    "The person was merged with another, who has the same message already.",
    "Die Person wurde mit einer anderen zusammengeführt, die dieselbe Nachricht schon hat.",
  ],
  todo_nothing: ["Nothing.", "Nichts."],
  means_workspace_suspended: [
    "The operator suspended the workspace for longer than 24 hours.",
    "Der Betreiber hat den Arbeitsbereich länger als 24 Stunden gesperrt.",
  ],
  todo_workspace_suspended: [
    "Talk to the operator of the service. Send the message again afterwards.",
    "Sprechen Sie mit dem Betreiber des Dienstes. Senden Sie die Nachricht danach erneut.",
  ],
  means_retention: [
    "It was older than the workspace keeps messages.",
    "Sie war älter, als der Arbeitsbereich Nachrichten aufhebt.",
  ],
  means_undetermined: [
    "The provider may have it, or not: the connection broke before its answer. The message may be sent once at most, so it was not tried again.",
    "Vielleicht hat sie der Anbieter: Die Verbindung brach vor der Antwort ab. Die Nachricht darf höchstens einmal gesendet werden und wurde deshalb nicht wiederholt.",
  ],
  todo_undetermined: [
    "Look into the provider’s own log for the id of this delivery. Send again only if it is not there.",
    "Suchen Sie im Protokoll des Anbieters nach der ID dieser Zustellung. Senden Sie nur erneut, wenn sie dort fehlt.",
  ],
  means_expired: ["Its time was over before it could be sent.", "Ihre Zeit war um, bevor sie gesendet werden konnte."],
  means_expired_in_app: ["It expired before the person closed it.", "Sie lief ab, bevor die Person sie schloss."],
  todo_expired: [
    "Send it again if it still matters. A longer expiry gives it more time.",
    "Senden Sie sie erneut, wenn sie noch wichtig ist. Eine längere Gültigkeit gibt ihr mehr Zeit.",
  ],
  means_gave_up: [
    "No provider took it for 17 hours, although it was tried again and again.",
    "Kein Anbieter nahm sie 17 Stunden lang an, obwohl es immer wieder versucht wurde.",
  ],
  todo_gave_up: [
    "Test the provider. Once it works, send the message again.",
    "Testen Sie den Anbieter. Sobald er geht, senden Sie die Nachricht erneut.",
  ],
  means_no_reach: [
    "No provider of the workspace can push to this kind of device.",
    "Kein Anbieter des Arbeitsbereichs kann Push an diese Art von Gerät senden.",
  ],
  todo_no_reach: [
    "Add a provider for the platform: APNs or FCM for iPhones, FCM for Android, Web Push for browsers.",
    "Fügen Sie einen Anbieter für die Plattform hinzu: APNs oder FCM für iPhones, FCM für Android, Web Push für Browser.",
  ],
  means_no_provider: ["The channel has no provider.", "Der Kanal hat keinen Anbieter."],
  todo_no_provider: [
    "Add a provider for the channel, and send the message again.",
    "Fügen Sie einen Anbieter für den Kanal hinzu und senden Sie die Nachricht erneut.",
  ],
  means_dead_devices: ["None of the person’s devices exists any more.", "Keines der Geräte der Person gibt es noch."],
  todo_dead_devices: [
    "Pushes reach the person again once the application is opened and registers its device.",
    "Push erreicht die Person wieder, sobald sie die Anwendung öffnet und diese ihr Gerät anmeldet.",
  ],
  means_own_error: ["The service failed while it sent the message.", "Der Dienst hatte beim Senden einen Fehler."],
  todo_own_error: [
    "Send it again. If that fails too, the operator finds the cause in the service’s log.",
    "Senden Sie sie erneut. Schlägt auch das fehl, findet der Betreiber die Ursache im Protokoll des Dienstes.",
  ],
  means_full: ["The mailbox is full.", "Das Postfach ist voll."],
  todo_full: [
    "Send it again in some days, or reach the person another way.",
    "Senden Sie sie in einigen Tagen erneut, oder erreichen Sie die Person auf anderem Weg.",
  ],
  means_unknown_address: [
    "The address does not exist. Nobody has read the message.",
    "Die Adresse gibt es nicht. Niemand hat die Nachricht gelesen.",
  ],
  means_sender: [
    "The provider does not accept the sender: its address or domain is not verified there.",
    "Der Anbieter akzeptiert den Absender nicht: Adresse oder Domain ist dort nicht bestätigt.",
  ],
  todo_sender: [
    "Verify the domain at the provider, or send from an address that is verified. Then send the message again.",
    "Bestätigen Sie die Domain beim Anbieter, oder senden Sie von einer bestätigten Adresse. Senden Sie die Nachricht dann erneut.",
  ],
  means_policy: [
    "The recipient’s mail server refused it by its rules: as spam, or because it does not trust the sender.",
    "Der Mailserver des Empfängers lehnte sie nach seinen Regeln ab: als Spam, oder weil er dem Absender nicht traut.",
  ],
  todo_policy: [
    "Check SPF, DKIM and DMARC of the sender’s domain, and the content for what looks like spam.",
    "Prüfen Sie SPF, DKIM und DMARC der Absender-Domain, und ob der Inhalt wie Spam aussieht.",
  ],
  means_too_large: ["The message is too large.", "Die Nachricht ist zu groß."],
  todo_too_large: [
    "Make it smaller: link to files instead of attaching them.",
    "Machen Sie sie kleiner: Verlinken Sie Dateien, statt sie anzuhängen.",
  ],
  means_credentials: [
    "The provider did not accept the credentials of the workspace.",
    "Der Anbieter hat die Zugangsdaten des Arbeitsbereichs nicht akzeptiert.",
  ],
  todo_credentials: [
    "Correct key or password of the provider and test it. Then send the message again.",
    "Berichtigen Sie Schlüssel oder Passwort des Anbieters und testen Sie ihn. Senden Sie die Nachricht dann erneut.",
  ],
  means_content: [
    "The content could not be rendered for this person.",
    "Der Inhalt ließ sich für diese Person nicht erzeugen.",
  ],
  todo_content: [
    "Correct the template at the place that is named below. New messages use it at once.",
    "Berichtigen Sie die Vorlage an der unten genannten Stelle. Neue Nachrichten benutzen sie sofort.",
  ],
  means_canceled: ["It was canceled before it arrived.", "Sie wurde abgebrochen, bevor sie ankam."],
  todo_canceled: [
    "Send it again if it was canceled by mistake.",
    "Senden Sie sie erneut, wenn sie versehentlich abgebrochen wurde.",
  ],
  means_bounced: [
    "The recipient’s server gave the message back.",
    "Der Server des Empfängers gab die Nachricht zurück.",
  ],
  todo_bounced: [
    "Check the address. If it is right, send the message again.",
    "Prüfen Sie die Adresse. Stimmt sie, senden Sie die Nachricht erneut.",
  ],
  means_refused: [
    "The provider refused the message for good. It is not tried again.",
    "Der Anbieter hat die Nachricht endgültig abgelehnt. Sie wird nicht wiederholt.",
  ],
  todo_refused: [
    "Read what it says below, correct it, and send the message again.",
    "Lesen Sie unten, was er meldet, beheben Sie es, und senden Sie die Nachricht erneut.",
  ],

  whyNot: ["Why some did not get it", "Warum manche sie nicht bekamen"],
  moreReasons: ["{count} more reason||{count} more reasons", "{count} weiterer Grund||{count} weitere Gründe"],
  newestFailures: ["Counted among the newest 10,000 failures.", "Gezählt unter den neuesten 10.000 Fehlschlägen."],
} satisfies Texts;
