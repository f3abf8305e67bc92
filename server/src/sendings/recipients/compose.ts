import { renderParts } from "../../content/index.ts";
import {
  type Content,
  emailOf,
  fitsPhone,
  MOST_PUSH_BYTES,
  madeOf,
  oneClick,
  partsOf,
  pushOf,
  smsOf,
  type Texts,
  usableSender,
} from "../../outbound/index.ts";
import { normalPhone, type Person, personView } from "../../people/index.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { Problem } from "../../platform/http/index.ts";
import type { Workspace } from "../../workspaces/index.ts";
import type { Fields } from "../content/fixed.ts";
import type { Sending } from "../sending.ts";

/** What composing for one person needs to know. */
export interface Facts {
  workspace: Workspace;
  person: Person;
  /** What `{{trigger.*}}` is in the content. */
  trigger: Record<string, unknown>;
  links: { unsubscribe_url: string; preferences_url: string };
  /** Email: a real provider takes it, which has no sender of its own. */
  senderNeeded: boolean;
}

export interface Composed {
  recipient: string;
  content: Content;
}

/**
 * A message for one person. @throws Problem template_error, content_missing, recipient_missing, recipient_invalid: what can't
 * be made for this person, whatever the others get
 */
export async function compose(sending: Sending, content: Fields, facts: Facts): Promise<Composed> {
  const { channel } = sending;
  if (channel === "in_app") throw new Error("in-app messages are composed by their own slice");
  const parts = partsOf(channel, content);
  const texts = await renderParts(parts, {
    person: personView(facts.person),
    trigger: facts.trigger,
    links: facts.links,
    turn: { workspaceId: sending.workspaceId, kind: "bulk" },
  });
  const text = Object.fromEntries(parts.map((part, i) => [part.name, texts[i] as string]));
  if (channel === "email") return email(sending, content, text, facts);
  return channel === "push" ? push(text) : sms(text, facts);
}

function email(sending: Sending, content: Fields, text: Texts, { workspace, person, links, senderNeeded }: Facts) {
  const { email_from, email_reply_to } = workspace.sender_defaults;
  const from = senderOf(text.from) ?? usableSender(email_from) ?? null;
  if (from === null && senderNeeded)
    throw new Problem("content_missing", "The email has no sender: set email_from in the workspace's sender_defaults.");
  const recipient = mailbox(person.email ?? "");
  if (!recipient) throw new Problem("recipient_invalid", "The person's email is not one address.");
  return {
    recipient: recipient.address,
    content: {
      ...emailOf(text, { from, replyTo: senderOf(text.reply_to) ?? usableSender(email_reply_to) }),
      ...madeOf(content),
      ...((sending.tracking.opens || sending.tracking.clicks) && { tracking: sending.tracking }),
      ...(sending.preference === "subscribed" && { headers: oneClick(links.unsubscribe_url) }),
    },
  };
}

function senderOf(text: string | undefined): string | undefined {
  const line = text?.trim() ?? "";
  if (line === "") return undefined;
  if (!mailbox(line)) throw new Problem("template_error", "The sender renders as no address.");
  return line;
}

function push(text: Texts): Composed {
  const content = pushOf(text);
  if (!fitsPhone(content))
    throw new Problem("template_error", `The push renders more than ${MOST_PUSH_BYTES} bytes; phones take no more.`);
  return { recipient: "all", content };
}

function sms(text: Texts, { workspace, person }: Facts): Composed {
  const content = smsOf(text);
  const authored = text.to?.trim();
  const recipient = authored ? normalPhone(authored, workspace.sender_defaults.country) : person.phone;
  if (recipient === null) throw new Problem("recipient_missing", "The person has no phone number.");
  if (recipient === undefined)
    throw new Problem("recipient_invalid", "The content's number is not one with its country code.");
  return { recipient, content };
}
