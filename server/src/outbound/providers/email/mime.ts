import MailComposer from "nodemailer/lib/mail-composer";
import { detectMimeType, encodeWord } from "nodemailer/lib/mime-funcs";
import type { Mailbox } from "../../../platform/mailbox.ts";
import type { Outgoing } from "../../message/email.ts";
import { AsItIs } from "./body.ts";

/** An email as nodemailer takes it, with an envelope of its own: nothing is left for it to parse. */
export const mail = (email: Outgoing) => ({
  envelope: { from: email.from.address, to: recipientsOf(email) },
  messageId: email.messageId,
  from: named(email.from),
  to: [named(email.to)],
  cc: email.cc.map(named),
  ...(email.replyTo && { replyTo: [named(email.replyTo)] }),
  subject: literal(email.subject),
  text: email.text,
  html: email.html,
  headers: email.headers,
  attachments: email.attachments.map(({ name, base64 }) => ({
    filename: name,
    content: Buffer.from(base64, "base64"),
  })),
});

const named = (entry: Mailbox) => ({ name: entry.name ?? "", address: entry.address });

/** What looks like an encoded word (RFC 2047) would be decoded by who reads it: so it is encoded itself. */
const literal = (text: string): string => (text.includes("=?") ? encodeWord(text, "Q", 52) : text);

/** Who gets it; the blind copies stand in no header. */
export const recipientsOf = (email: Outgoing): string[] =>
  [email.to, ...email.cc, ...email.bcc].map((entry) => entry.address);

/** The whole message in MIME, for APIs that take it so: headers and Message-ID stay as they are. */
export function mimeOf(email: Outgoing): Promise<Buffer> {
  return new MailComposer({ ...mail(email), disableFileAccess: true, disableUrlAccess: true }).compile().build();
}

/** `"Name" <local@domain>` for APIs that take an address as one text (RFC 5322 3.4, quoted-string). */
export const written = ({ name, address }: Mailbox): string =>
  name === undefined ? address : `"${name.replaceAll(/["\\]/g, "\\$&")}" <${address}>`;

/** Attachments for APIs that want their type, told by the name's ending. */
export const filesOf = (email: Outgoing): { name: string; content: AsItIs; type: string }[] =>
  email.attachments.map(({ name, base64 }) => ({ name, content: new AsItIs(base64), type: detectMimeType(name) }));
