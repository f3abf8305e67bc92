import MailComposer from "nodemailer/lib/mail-composer";
import { detectMimeType, encodeWord } from "nodemailer/lib/mime-funcs";
import type { Mailbox } from "../../../platform/mailbox.ts";
import type { Outgoing } from "../../message/email.ts";
import { VerbatimBase64 } from "./body.ts";

/** Returns an email in the form of nodemailer, with an envelope of its own, so that nodemailer has nothing to parse. */
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

/** A text that looks like an encoded word (RFC 2047) would be decoded by mail programs, so it is encoded itself. */
const literal = (text: string): string => (text.includes("=?") ? encodeWord(text, "Q", 52) : text);

/** Returns the addresses of all recipients; those of blind copies are in no header. */
export const recipientsOf = (email: Outgoing): string[] =>
  [email.to, ...email.cc, ...email.bcc].map((entry) => entry.address);

/** Returns the whole message in MIME, for APIs that accept it: headers and Message-ID stay as they are. */
export function mimeOf(email: Outgoing): Promise<Buffer> {
  return new MailComposer({ ...mail(email), disableFileAccess: true, disableUrlAccess: true }).compile().build();
}

/** Returns `"Name" <local@domain>`, for APIs that accept an address as one text (RFC 5322 3.4, quoted-string). */
export const written = ({ name, address }: Mailbox): string =>
  name === undefined ? address : `"${name.replaceAll(/["\\]/g, "\\$&")}" <${address}>`;

/** Returns attachments with their type, which is derived from the extension of the name, for APIs that need it. */
export const filesOf = (email: Outgoing): { name: string; content: VerbatimBase64; type: string }[] =>
  email.attachments.map(({ name, base64 }) => ({
    name,
    content: new VerbatimBase64(base64),
    type: detectMimeType(name),
  }));
