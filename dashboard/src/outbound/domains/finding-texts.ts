import type { FindingCode } from "@tidings/contract/messages/sender-domains";

/** What each finding about a domain says; the service says the same in English. */
export const findingTexts: Record<FindingCode, readonly [en: string, de: string]> = {
  unanswered: [
    "The DNS did not answer for {name}. Check again later.",
    "Das DNS hat für {name} nicht geantwortet. Prüfen Sie später erneut.",
  ],
  spf_missing: [
    "{domain} has no SPF record: receivers can’t tell which servers may send for it.",
    "{domain} hat keinen SPF-Eintrag: Empfänger wissen nicht, welche Server dafür senden dürfen.",
  ],
  spf_several: [
    "{domain} has {count} SPF records. Receivers then use none of them: join them into one.",
    "{domain} hat {count} SPF-Einträge. Empfänger nutzen dann keinen: Fassen Sie sie zu einem zusammen.",
  ],
  spf_syntax: [
    "The record has a part that is no SPF, so receivers use none of it: {term}",
    "Der Eintrag hat einen Teil, der kein SPF ist, darum nutzen Empfänger nichts davon: {term}",
  ],
  spf_lookups_many: [
    "The record takes {count} DNS questions, and receivers stop after 10: remove includes that send no mail any more.",
    "Der Eintrag braucht {count} DNS-Fragen, und Empfänger hören nach 10 auf: Entfernen Sie Includes, die keine Mails mehr senden.",
  ],
  spf_lookups: [
    "The record takes {count} of at most 10 DNS questions.",
    "Der Eintrag braucht {count} von höchstens 10 DNS-Fragen.",
  ],
  spf_include_present: [
    "The record includes {include}, so {provider} may send.",
    "Der Eintrag enthält {include}, also darf {provider} senden.",
  ],
  spf_include_missing: [
    "The record does not include {include}: {provider} may not send for this domain.",
    "Der Eintrag enthält {include} nicht: {provider} darf für diese Domain nicht senden.",
  ],
  spf_include_broken: [
    "The record includes {domain}, which has no valid SPF record. Receivers then use none of it.",
    "Der Eintrag enthält {domain} ohne gültigen SPF-Eintrag. Empfänger nutzen dann nichts davon.",
  ],
  spf_own_envelope: [
    "{provider} uses an envelope of its own, whose SPF record its set-up page shows. Here DKIM counts.",
    "{provider} nutzt einen eigenen Umschlag, dessen SPF-Eintrag die Einrichtungsseite dort zeigt. Hier zählt DKIM.",
  ],
  spf_own_server: [
    "Make sure that the record covers the address from which {provider} sends: by ip4, a or mx.",
    "Stellen Sie sicher, dass der Eintrag die Adresse abdeckt, von der {provider} sendet: mit ip4, a oder mx.",
  ],
  spf_ptr: [
    "The record uses ptr, which is slow and which many receivers ignore: replace it by ip4, a or include.",
    "Der Eintrag nutzt ptr, das langsam ist und das viele Empfänger übergehen: Ersetzen Sie es durch ip4, a oder include.",
  ],
  spf_all_hard: [
    "It ends in -all: mail from other servers is refused.",
    "Er endet mit -all: Mails anderer Server werden abgelehnt.",
  ],
  spf_all_soft: [
    "It ends in ~all: mail from other servers is suspect. With DMARC that is enough.",
    "Er endet mit ~all: Mails anderer Server sind verdächtig. Mit DMARC genügt das.",
  ],
  spf_all_neutral: [
    "It ends in ?all, which says nothing about other servers: use ~all or -all.",
    "Er endet mit ?all, was nichts über andere Server sagt: Nehmen Sie ~all oder -all.",
  ],
  spf_all_pass: [
    "It ends in +all: everybody may send for this domain. Use ~all or -all.",
    "Er endet mit +all: Jeder darf für diese Domain senden. Nehmen Sie ~all oder -all.",
  ],
  spf_all_none: [
    "It does not end in ~all or -all, so it says nothing about other servers.",
    "Er endet weder mit ~all noch mit -all und sagt darum nichts über andere Server.",
  ],
  dkim_found: ["The key {selector} is published ({bits}).", "Der Schlüssel {selector} ist veröffentlicht ({bits})."],
  dkim_short: [
    "The key {selector} has {bits}. Receivers refuse less than 1,024 bits, and 2,048 are advised: make a new one.",
    "Der Schlüssel {selector} hat {bits}. Empfänger lehnen weniger als 1.024 Bits ab, empfohlen sind 2.048: Erzeugen Sie einen neuen.",
  ],
  dkim_revoked: [
    "The key {selector} is empty, which means that it is revoked: what it signs fails.",
    "Der Schlüssel {selector} ist leer, also widerrufen: Was er signiert, besteht nicht.",
  ],
  dkim_testing: [
    "The key {selector} says t=y: receivers treat its mail as unsigned. Remove that.",
    "Der Schlüssel {selector} sagt t=y: Empfänger behandeln seine Mails als unsigniert. Entfernen Sie das.",
  ],
  dkim_invalid: [
    "The record of {selector} is no valid key. Was a part of it lost when it was pasted?",
    "Der Eintrag von {selector} ist kein gültiger Schlüssel. Ging beim Einfügen ein Teil verloren?",
  ],
  dkim_missing: [
    "{domain} publishes no DKIM key at all: mail from it is unsigned. Your provider shows the records to publish.",
    "{domain} veröffentlicht keinen DKIM-Schlüssel: Seine Mails sind unsigniert. Ihr Anbieter zeigt, was zu veröffentlichen ist.",
  ],
  dkim_unknown: [
    "There is no key under {selectors}. Enter the selector that your provider shows.",
    "Unter {selectors} gibt es keinen Schlüssel. Geben Sie den Selektor ein, den Ihr Anbieter zeigt.",
  ],
  dkim_ask: [
    "Your provider’s keys have names of their own: enter the selector that it shows, to look at that key.",
    "Die Schlüssel Ihres Anbieters haben eigene Namen: Geben Sie den Selektor ein, den er zeigt.",
  ],
  dmarc_missing: [
    "{domain} has no DMARC policy. Gmail and Yahoo ask one of everybody who sends to many.",
    "{domain} hat keine DMARC-Richtlinie. Gmail und Yahoo verlangen eine von allen, die an viele senden.",
  ],
  dmarc_several: [
    "{domain} has {count} DMARC records. Receivers then use none of them.",
    "{domain} hat {count} DMARC-Einträge. Empfänger nutzen dann keinen.",
  ],
  dmarc_syntax: [
    "The policy has a fault, so receivers may ignore it: {tag}",
    "Die Richtlinie hat einen Fehler, darum übergehen Empfänger sie vielleicht: {tag}",
  ],
  dmarc_inherited: ["The policy is that of {domain}.", "Es gilt die Richtlinie von {domain}."],
  dmarc_none: [
    "p=none only watches: forged mail still arrives. Once the reports show only your own mail, use quarantine, then reject.",
    "p=none beobachtet nur: Fälschungen kommen weiter an. Sobald die Berichte nur Ihre eigenen Mails zeigen, nehmen Sie quarantine, dann reject.",
  ],
  dmarc_quarantine: ["p=quarantine: forged mail goes to spam.", "p=quarantine: Fälschungen landen im Spam."],
  dmarc_reject: ["p=reject: forged mail is refused.", "p=reject: Fälschungen werden abgelehnt."],
  dmarc_part: [
    "pct={percent}: the policy holds for a part of the mail only.",
    "pct={percent}: Die Richtlinie gilt nur für einen Teil der Mails.",
  ],
  dmarc_no_reports: [
    "There is no rua: nobody gets the reports that show who sends for this domain.",
    "Es fehlt rua: Niemand bekommt die Berichte darüber, wer für diese Domain sendet.",
  ],
  dmarc_aligned_spf: [
    "Mail of {provider} has an envelope of {domain} and can pass by SPF.",
    "Mails von {provider} tragen einen Umschlag von {domain} und können über SPF bestehen.",
  ],
  dmarc_aligned_dkim: [
    "Mail that is signed with the key {selector} passes by DKIM.",
    "Mails, die mit dem Schlüssel {selector} signiert sind, bestehen über DKIM.",
  ],
  dmarc_unaligned: [
    "Mail of {provider} passes DMARC only if it is signed by DKIM for {domain}, and no key was found.",
    "Mails von {provider} bestehen DMARC nur, wenn sie für {domain} per DKIM signiert sind, und es fand sich kein Schlüssel.",
  ],
  mx_found: ["Replies and bounces can arrive.", "Antworten und Rückläufer können ankommen."],
  mx_missing: [
    "{domain} has no MX record: replies don’t arrive, and some receivers refuse mail from it.",
    "{domain} hat keinen MX-Eintrag: Antworten kommen nicht an, und manche Empfänger lehnen seine Mails ab.",
  ],
  mx_null: [
    "{domain} says that it takes no mail. Replies don’t arrive.",
    "{domain} sagt, dass es keine Mails annimmt. Antworten kommen nicht an.",
  ],
};
