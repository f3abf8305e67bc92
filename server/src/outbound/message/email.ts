import { type RenderTurn, textOf } from "../../content/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { type Mailbox, mailbox } from "../../platform/mailbox.ts";
import type { EmailMessage } from "./message.ts";

/** An email that is ready to be handed over: every field is resolved, and a library has nothing left to parse. */
export interface Outgoing {
  messageId: string;
  from: Mailbox;
  to: Mailbox;
  replyTo?: Mailbox;
  cc: Mailbox[];
  bcc: Mailbox[];
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
  attachments: { name: string; base64: string }[];
}

/** The sender that the local provider shows where neither the content nor the workspace names one. */
export const LOCAL_SENDER = "Tidings <no-reply@tidings.localhost>";

/** The stored email and what it is resolved with. */
interface OutgoingInput {
  deliveryId: string;
  to: string;
  message: EmailMessage;
  turn: RenderTurn;
  /** Sender where the content names none. */
  fallbackSender?: string | undefined;
  /** Adds tracking to the HTML, as the last step: the text part is made of the HTML without it. */
  track?: ((html: string) => string) | undefined;
}

/**
 * Resolves a stored email into the form that providers get. Its Message-ID is derived from the delivery, so that mail servers
 * recognize a repeat after a crash as the same message.
 * @returns a text that says why, where the email can't be sent at all
 */
export async function outgoingOf(input: OutgoingInput): Promise<Outgoing | string> {
  const { deliveryId, to, message, turn, fallbackSender, track = (html) => html } = input;
  const from = mailbox(message.from ?? fallbackSender ?? "");
  const recipient = mailbox(to);
  if (!from) return "no sender: set email_from in the workspace's sender_defaults, or from in the content";
  if (!recipient) return "the recipient is not an address";
  const some = (list: string[] = []) => list.map(mailbox).filter((entry) => entry !== undefined);
  const replyTo = message.reply_to === undefined ? undefined : mailbox(message.reply_to);
  return {
    messageId: `<${deliveryId}@${from.address.slice(from.address.lastIndexOf("@") + 1)}>`,
    from,
    to: recipient,
    ...(replyTo && { replyTo }),
    cc: some(message.cc),
    bcc: some(message.bcc),
    subject: message.subject,
    html: track(withPreheader(message.body, message.preheader)),
    text: message.plaintext_body ?? (await textPart(message, turn)),
    headers: message.headers ?? {},
    attachments: message.attachments ?? [],
  };
}

/** Makes the text part from the HTML. Where the conversion takes too long, the text part is the subject. */
async function textPart(message: EmailMessage, turn: RenderTurn): Promise<string> {
  try {
    return await textOf(message.body, turn);
  } catch (error) {
    if (error instanceof Problem && error.code === "template_error") return message.subject;
    throw error;
  }
}

/** Inboxes show the first text of the body after the subject, so the preheader is inserted there, invisible. */
function withPreheader(html: string, preheader: string | undefined): string {
  if (!preheader) return html;
  const hidden = `<div data-preheader style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escaped(preheader)}</div>`;
  // The tag must contain no <: a search for the end behind each of 100,000 beginnings took 2.4 s.
  const body = /<body(?=[\s/>])[^<>]{0,2000}>/i.exec(html);
  const at = body ? body.index + body[0].length : 0;
  return html.slice(0, at) + hidden + html.slice(at);
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
