import type { Texts } from "../../platform/language/texts.ts";

const HI = [
  'Hi {{ person.first_name | default: "there" }},',
  'Hallo {{ person.first_name | default: "und guten Tag" }},',
] as const;

/** What the gallery says about itself. */
export const galleryTexts = {
  gallery: ["Start from a template", "Mit einer Vorlage beginnen"],
  service: ["About what somebody did", "Zu etwas, das jemand getan hat"],
  marketing: ["Newsletters and offers", "Newsletter und Angebote"],
  use: ["Use {name}", "{name} verwenden"],
  receipt: ["Receipt", "Kaufbeleg"],
  receiptHint: ["What was bought, with the sum", "Was gekauft wurde, mit der Summe"],
  reset: ["Password reset", "Passwort zurücksetzen"],
  resetHint: ["A link that ends soon", "Ein Link, der bald endet"],
  welcome: ["Welcome", "Willkommen"],
  welcomeHint: ["Three first steps", "Drei erste Schritte"],
  verify: ["Confirm an address", "Adresse bestätigen"],
  verifyHint: ["A link, and a code to type", "Ein Link und ein Code zum Eintippen"],
  digest: ["Digest", "Zusammenfassung"],
  digestHint: ["What happened in the week", "Was in der Woche geschah"],
  invitation: ["Invitation", "Einladung"],
  invitationHint: ["Somebody invites to a team", "Jemand lädt in ein Team ein"],
  shipping: ["Shipping notice", "Versandmitteilung"],
  shippingHint: ["Where the parcel is", "Wo das Paket ist"],
  trial: ["End of a trial", "Ende der Probezeit"],
  trialHint: ["What happens then, and the price", "Was dann geschieht, und der Preis"],
  payment: ["Payment failed", "Zahlung fehlgeschlagen"],
  paymentHint: ["How to pay after all", "Wie man doch noch bezahlt"],
  newsletter: ["Newsletter", "Newsletter"],
  newsletterHint: ["A leading story and two more", "Eine große Geschichte und zwei weitere"],
} satisfies Texts;

/** The words of the emails. They are HTML and Liquid. */
export const texts = {
  company: ["Your company", "Ihre Firma"],
  footService: [
    "You get this email because you have an account with us.",
    "Sie erhalten diese E-Mail, weil Sie ein Konto bei uns haben.",
  ],
  footMarketing: ["You get this email because you asked for it.", "Sie erhalten diese E-Mail, weil Sie es wünschten."],
  footAddress: ["Your company, 1 Street, 12345 City", "Ihre Firma, Straße 1, 12345 Ort"],
  unsubscribe: ["Unsubscribe", "Abmelden"],
  preferences: ["What you get from us", "Was Sie von uns erhalten"],
  hi: HI,
  receiptSubject: ["Your receipt for order {{ trigger.order }}", "Ihr Beleg zur Bestellung {{ trigger.order }}"],
  receiptPreheader: ["{{ trigger.total }}, paid. Thank you!", "{{ trigger.total }}, bezahlt. Vielen Dank!"],
  receiptTitle: ["Thank you for your order", "Vielen Dank für Ihre Bestellung"],
  receiptBody: [
    "we have received your payment. This is your receipt for order <strong>{{ trigger.order }}</strong>.",
    "wir haben Ihre Zahlung erhalten. Dies ist Ihr Beleg zur Bestellung <strong>{{ trigger.order }}</strong>.",
  ],
  total: ["Total", "Summe"],
  receiptOpen: ["See the order", "Bestellung ansehen"],
  receiptHelp: ["Is something wrong? Answer this email.", "Stimmt etwas nicht? Antworten Sie auf diese E-Mail."],
  resetSubject: ["Choose a new password", "Wählen Sie ein neues Passwort"],
  resetPreheader: [
    "The link works for {{ trigger.minutes | default: 60 }} minutes.",
    "Der Link gilt {{ trigger.minutes | default: 60 }} Minuten.",
  ],
  resetTitle: ["Choose a new password", "Neues Passwort wählen"],
  resetBody: [
    "somebody, hopefully you, asked for a new password for {{ person.email }}. The button works for {{ trigger.minutes | default: 60 }} minutes, and once.",
    "jemand, hoffentlich Sie, hat ein neues Passwort für {{ person.email }} angefordert. Die Schaltfläche gilt {{ trigger.minutes | default: 60 }} Minuten und nur einmal.",
  ],
  resetOpen: ["New password", "Neues Passwort"],
  resetHelp: [
    "It wasn't you? Then do nothing: your password stays as it is.",
    "Das waren nicht Sie? Dann tun Sie nichts: Ihr Passwort bleibt, wie es ist.",
  ],
  orCopy: [
    'Or copy this address into your browser: <a href="{{ trigger.url }}" style="color: #0b5a50">{{ trigger.url }}</a>',
    'Oder kopieren Sie diese Adresse in Ihren Browser: <a href="{{ trigger.url }}" style="color: #0b5a50">{{ trigger.url }}</a>',
  ],
  welcomeSubject: [
    'Welcome, {{ person.first_name | default: "and good to have you" }}',
    'Willkommen, {{ person.first_name | default: "schön, dass Sie da sind" }}',
  ],
  welcomePreheader: ["Three steps, ten minutes.", "Drei Schritte, zehn Minuten."],
  welcomeTitle: ["Good to have you here", "Schön, dass Sie da sind"],
  welcomeBody: [
    "your account is ready. Most people begin like this:",
    "Ihr Konto ist bereit. Die meisten beginnen so:",
  ],
  welcomeSteps: [
    '<ol style="margin: 0; padding: 0 0 0 20px"><li><strong>Tell us who you are.</strong> A name and a picture will do.</li><li><strong>Start your first project.</strong> It can be small.</li><li><strong>Invite somebody.</strong> Together it is more fun.</li></ol>',
    '<ol style="margin: 0; padding: 0 0 0 20px"><li><strong>Sagen Sie, wer Sie sind.</strong> Name und Bild genügen.</li><li><strong>Beginnen Sie ein erstes Projekt.</strong> Es darf klein sein.</li><li><strong>Laden Sie jemanden ein.</strong> Zusammen macht es mehr Freude.</li></ol>',
  ],
  welcomeOpen: ["Begin", "Beginnen"],
  welcomeHelp: [
    "Do you have a question? Answer this email: a person reads it.",
    "Haben Sie eine Frage? Antworten Sie auf diese E-Mail: Ein Mensch liest sie.",
  ],
  verifySubject: ["Confirm your address", "Bestätigen Sie Ihre Adresse"],
  verifyPreheader: ["Your code is {{ trigger.code }}.", "Ihr Code ist {{ trigger.code }}."],
  verifyTitle: ["Is this your address?", "Ist das Ihre Adresse?"],
  verifyBody: [
    "confirm that {{ person.email }} is yours, so that we can write to you.",
    "bestätigen Sie, dass {{ person.email }} Ihnen gehört, damit wir Ihnen schreiben können.",
  ],
  verifyOpen: ["Confirm", "Bestätigen"],
  verifyCode: ["Or type this code:", "Oder geben Sie diesen Code ein:"],
  verifyHelp: [
    "Did you not sign up? Then you can delete this email.",
    "Sie haben sich nicht angemeldet? Dann können Sie diese E-Mail löschen.",
  ],
  digestSubject: [
    '{{ trigger.count | default: "Your" }} news of the week',
    '{{ trigger.count | default: "Ihre" }} Neuigkeiten der Woche',
  ],
  digestPreheader: ["What happened while you were away.", "Was geschah, während Sie weg waren."],
  digestTitle: ["Your week", "Ihre Woche"],
  digestBody: ["this happened since your last visit.", "das geschah seit Ihrem letzten Besuch."],
  digestRead: ["Read on", "Weiterlesen"],
  digestOpen: ["See everything", "Alles ansehen"],
  invitationSubject: [
    '{{ trigger.inviter | default: "Somebody" }} invites you to {{ trigger.team | default: "a team" }}',
    '{{ trigger.inviter | default: "Jemand" }} lädt Sie zu {{ trigger.team | default: "einem Team" }} ein',
  ],
  invitationPreheader: ["It takes a minute to join.", "Der Beitritt dauert eine Minute."],
  invitationTitle: [
    'Join {{ trigger.team | default: "the team" }}',
    'Kommen Sie zu {{ trigger.team | default: "uns" }}',
  ],
  invitationBody: [
    '{{ trigger.inviter | default: "somebody" }} would like to work with you in <strong>{{ trigger.team | default: "a team" }}</strong>.',
    '{{ trigger.inviter | default: "jemand" }} möchte mit Ihnen in <strong>{{ trigger.team | default: "einem Team" }}</strong> arbeiten.',
  ],
  invitationOpen: ["Accept the invitation", "Einladung annehmen"],
  invitationHelp: [
    "The invitation ends {{ trigger.ends | default: 'in 7 days' }}. If you don't know the sender, ignore it.",
    "Die Einladung endet {{ trigger.ends | default: 'in 7 Tagen' }}. Wenn Sie den Absender nicht kennen, ignorieren Sie sie.",
  ],
  shippingSubject: ["Order {{ trigger.order }} is on its way", "Bestellung {{ trigger.order }} ist unterwegs"],
  shippingPreheader: [
    "It should arrive {{ trigger.arrives | default: 'in a few days' }}.",
    "Ankunft voraussichtlich {{ trigger.arrives | default: 'in wenigen Tagen' }}.",
  ],
  shippingTitle: ["Your parcel is on its way", "Ihr Paket ist unterwegs"],
  shippingBody: [
    "{{ trigger.carrier | default: 'the carrier' }} has your parcel. It should arrive <strong>{{ trigger.arrives | default: 'in a few days' }}</strong>.",
    "{{ trigger.carrier | default: 'der Paketdienst' }} hat Ihr Paket. Es kommt voraussichtlich <strong>{{ trigger.arrives | default: 'in wenigen Tagen' }}</strong> an.",
  ],
  shippingOpen: ["Follow the parcel", "Paket verfolgen"],
  shippingItems: ["In the parcel", "Im Paket"],
  trialSubject: [
    "Your trial ends {{ trigger.ends | default: 'soon' }}",
    "Ihre Probezeit endet {{ trigger.ends | default: 'bald' }}",
  ],
  trialPreheader: ["Nothing is lost if you do nothing.", "Nichts geht verloren, wenn Sie nichts tun."],
  trialTitle: [
    "Your trial ends {{ trigger.ends | default: 'soon' }}",
    "Ihre Probezeit endet {{ trigger.ends | default: 'bald' }}",
  ],
  trialBody: [
    "we hope that you liked it. To go on, choose a plan. If you do nothing, your account is paused, and what you made stays for 30 days.",
    "wir hoffen, es hat Ihnen gefallen. Um weiterzumachen, wählen Sie einen Tarif. Wenn Sie nichts tun, ruht Ihr Konto, und was Sie gemacht haben, bleibt 30 Tage erhalten.",
  ],
  trialPlan: ["{{ trigger.plan | default: 'Your plan' }}", "{{ trigger.plan | default: 'Ihr Tarif' }}"],
  trialPrice: ["{{ trigger.price | default: '' }}", "{{ trigger.price | default: '' }}"],
  trialOpen: ["Choose a plan", "Tarif wählen"],
  paymentSubject: ["Your payment did not work", "Ihre Zahlung hat nicht geklappt"],
  paymentPreheader: [
    "We try again {{ trigger.again | default: 'in 3 days' }}.",
    "Wir versuchen es {{ trigger.again | default: 'in 3 Tagen' }} noch einmal.",
  ],
  paymentTitle: ["Your payment did not work", "Ihre Zahlung hat nicht geklappt"],
  paymentBody: [
    "we could not charge your card that ends in <strong>{{ trigger.card | default: '····' }}</strong>. Often it has only expired.",
    "wir konnten Ihre Karte mit der Endung <strong>{{ trigger.card | default: '····' }}</strong> nicht belasten. Oft ist sie nur abgelaufen.",
  ],
  paymentDue: ["Open amount", "Offener Betrag"],
  paymentOpen: ["Update the card", "Karte aktualisieren"],
  paymentHelp: [
    "We try again {{ trigger.again | default: 'in 3 days' }}. Until then everything goes on as it is.",
    "Wir versuchen es {{ trigger.again | default: 'in 3 Tagen' }} noch einmal. Bis dahin läuft alles weiter.",
  ],
  newsSubject: ["News of {{ 'now' | date: '%B' }}", "Neues im Monat {{ 'now' | date: '%m' }}"],
  newsPreheader: ["A story, and two short ones.", "Eine Geschichte und zwei kurze."],
  newsTitle: ["The story of this month", "Die Geschichte dieses Monats"],
  newsBody: [
    "Begin with the one thing that your readers should remember. Two or three sentences are enough, then lead to the whole story.",
    "Beginnen Sie mit dem einen, das Ihre Leser behalten sollen. Zwei, drei Sätze genügen, dann führen Sie zur ganzen Geschichte.",
  ],
  newsRead: ["Read the story", "Geschichte lesen"],
  newsMore: ["Also new", "Außerdem neu"],
  newsOneTitle: ["A smaller piece of news", "Eine kleinere Neuigkeit"],
  newsOne: [
    'What it is, and for whom. <a href="https://example.com/one" style="color: #0b5a50">More about it</a>',
    'Was es ist und für wen. <a href="https://example.com/one" style="color: #0b5a50">Mehr dazu</a>',
  ],
  newsTwoTitle: ["A date to remember", "Ein Termin zum Vormerken"],
  newsTwo: [
    'Where and when it is. <a href="https://example.com/two" style="color: #0b5a50">Take part</a>',
    'Wo und wann es ist. <a href="https://example.com/two" style="color: #0b5a50">Teilnehmen</a>',
  ],
} satisfies Texts;
