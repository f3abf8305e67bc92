import type { EmailTrigger } from "@tidings/contract/messages/transactionals";
import { type Composed, missingPart, sourceOf } from "../../outbound/index.ts";
import type { Person } from "../../people/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { noTemplate } from "../../templates/index.ts";
import { attachmentsOf, headersOf, invalidRecipient, recipientOf } from "./call.ts";
import type { CallFacts, ParseChannel } from "./channel.ts";
import { composeCall, overlaid } from "./compose.ts";

const FROM_CALL = ["subject", "preheader", "body", "plaintext_body", "from", "reply_to"];

/** An email goes to the address of the call, else to the person's own. */
export const parseEmail: ParseChannel<"email"> = async (_workspace, input) => {
  const extras = await extrasOf(input);
  const to = input.to === undefined ? undefined : (mailbox(input.to)?.address ?? null);
  const compose = async (facts: CallFacts): Promise<Composed> => {
    const content = contentOf(input, facts.content);
    const recipient = recipientFor(to, facts.person);
    return composeCall(sourceOf("email", content), input, facts, { to: recipient, extras });
  };
  return { to: to ?? undefined, copies: [...(input.cc ?? []), ...(input.bcc ?? [])], compose };
};

/** Returns the parts of a call that are not texts: copies, headers and attachments. */
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

/** Returns the content of an email: the call's fields override the definition's. @throws Problem content_missing, template_not_found */
function contentOf(call: EmailTrigger, definition: Record<string, unknown> | undefined): Record<string, unknown> {
  const content = overlaid(definition, call, FROM_CALL);
  // A plain text that was written for another body would differ from the HTML.
  if (call.body !== undefined && call.plaintext_body === undefined) delete content.plaintext_body;
  if (content.template_id !== undefined && content.template_version === undefined) throw noTemplate();
  for (const name of ["subject", "body"])
    if (!content[name]) throw missingPart(name, `The email has no ${name}: give it in the call.`);
  return content;
}

/** @param called the address in the call; null if it is invalid, undefined if there is none */
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
