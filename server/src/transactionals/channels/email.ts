import type { EmailTrigger } from "@tidings/contract/messages/transactionals";
import { type EmailMessage, emailOf, madeOf, oneClick, usableSender } from "../../outbound/index.ts";
import { type Person, personView } from "../../people/index.ts";
import { badField, Problem } from "../../platform/http/index.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { noTemplate } from "../../templates/index.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { attachmentsOf, headersOf, invalidRecipient, recipientOf } from "./call.ts";
import type { Composed, Facts, ReadChannel } from "./channel.ts";
import { missingContent, overlaid, renderContent, turnOf } from "./render.ts";

const FROM_CALL = ["subject", "preheader", "body", "plaintext_body", "from", "reply_to"];

/** An email to the address of the call, or the person's own. */
export const readEmail: ReadChannel<"email"> = async (_workspace, input) => {
  const extras = await extrasOf(input);
  const to = input.to === undefined ? undefined : (mailbox(input.to)?.address ?? null);
  const compose = async (facts: Facts): Promise<Composed> => {
    const { workspace, person, content: definition, senderNeeded, links, respects, tracking } = facts;
    const content = contentOf(input, definition);
    const recipient = recipientFor(to, person);
    const scope = { person: personView(person), trigger: input.message_data ?? {}, links, turn: turnOf(workspace) };
    const text = await renderContent("email", content, input, scope);
    const message = messageOf(text, sendersOf(workspace, senderNeeded));
    const headers = respects
      ? { ...unsubscribing(links.unsubscribe_url, extras.headers), ...extras.headers }
      : extras.headers;
    return {
      recipient,
      content: { ...message, ...madeOf(content), ...extras, ...(headers && { headers }), ...tracked(tracking) },
    };
  };
  return { to: to ?? undefined, copies: [...(input.cc ?? []), ...(input.bcc ?? [])], compose };
};

const tracked = (tracking: NonNullable<EmailMessage["tracking"]>): Partial<EmailMessage> =>
  tracking.opens || tracking.clicks ? { tracking } : {};

/** A call that has a List-Unsubscribe of its own keeps it. */
const unsubscribing = (url: string, own: Record<string, string> = {}): Record<string, string> =>
  Object.keys(own).some((name) => /^list-unsubscribe(-post)?$/i.test(name)) ? {} : oneClick(url);

/** What a call carries beside its texts. */
async function extrasOf(input: EmailTrigger) {
  const headers = headersOf(input.headers);
  for (const name of ["cc", "bcc"] as const) input[name]?.forEach((text, i) => void recipientOf(text, `/${name}/${i}`));
  const attachments = input.attachments ? await attachmentsOf(input.attachments) : [];
  return {
    ...(input.cc && { cc: input.cc }),
    ...(input.bcc && { bcc: input.bcc }),
    ...(headers && { headers }),
    ...(attachments.length > 0 && { attachments, attachment_names: attachments.map((file) => file.name) }),
  };
}

/** The content of an email: the call's own fields over the definition's. @throws Problem content_missing, template_not_found */
function contentOf(call: EmailTrigger, definition: Record<string, unknown> | undefined): Record<string, unknown> {
  const content = overlaid(definition, call, FROM_CALL);
  // A text part written for another body would say something else than the HTML.
  if (call.body !== undefined && call.plaintext_body === undefined) delete content.plaintext_body;
  if (content.template_id !== undefined && content.template_version === undefined) throw noTemplate();
  for (const name of ["subject", "body"])
    if (!content[name]) throw missingContent(name, `The email has no ${name}: give it in the call.`);
  return content;
}

/** @param called the address of the call; null where it is none, undefined where it names none */
function recipientFor(called: string | null | undefined, person: Person): string {
  if (called === null) throw invalidRecipient("/to", "is not one email address");
  if (called !== undefined) return called;
  if (person.email === null) {
    throw new Problem(
      "recipient_missing",
      "The person has no email address: give `to`, or identify the person with one.",
    );
  }
  return recipientOf(person.email, "/identifiers").address;
}

/** Who sends where the content does not say. `required`: a real provider takes it, which has no sender of its own. */
interface Senders {
  from: string | undefined;
  replyTo: string | undefined;
  required: boolean;
}

const sendersOf = ({ sender_defaults }: Workspace, required: boolean): Senders => ({
  from: usableSender(sender_defaults.email_from),
  replyTo: usableSender(sender_defaults.email_reply_to),
  required,
});

/** The message that is kept and sent. @throws Problem template_error, content_missing, invalid_request for a sender that is no address */
function messageOf(text: Record<string, string>, senders: Senders): EmailMessage {
  const from = sender("from", text.from) ?? senders.from ?? null;
  if (from === null && senders.required) {
    throw missingContent(
      "from",
      "The email has no sender: set email_from in the workspace's sender_defaults, or give from.",
    );
  }
  return emailOf(text, { from, replyTo: sender("reply_to", text.reply_to) ?? senders.replyTo });
}

function sender(name: string, text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  if (!mailbox(text)) throw badField(`/${name}`, "must be one address, such as `Acme <hello@acme.test>`");
  return text.trim();
}
