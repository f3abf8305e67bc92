import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { type Cause, type Part, type RenderTurn, renderParts } from "../../content/index.ts";
import { normalPhone, type Person, personView } from "../../people/index.ts";
import { badField, Problem } from "../../platform/http/index.ts";
import { mailbox } from "../../platform/mailbox.ts";
import type { Workspace } from "../../workspaces/index.ts";
import type { Content, EmailMessage, PushMessage, SmsMessage } from "./message.ts";
import { partsOf } from "./parts.ts";
import {
  emailOf,
  fitsPhone,
  MOST_PUSH_BYTES,
  madeOf,
  missingPart,
  oneClick,
  pushOf,
  smsOf,
  type Texts,
  usableSender,
} from "./written.ts";

// Composes one person's message from a content, for a trigger, a broadcast and a campaign's step alike.

/** A content and its parts, which are computed once and rendered for many people. */
export interface Source {
  channel: PushedChannel;
  content: Record<string, unknown>;
  parts: Part[];
}

export const sourceOf = (channel: PushedChannel, content: Record<string, unknown>): Source => ({
  channel,
  content,
  parts: partsOf(channel, content),
});

/** What a call adds to the content. */
export interface CallOptions {
  /** The recipient, ready for an envelope. It takes precedence over the content's and the person's own. */
  to?: string | undefined;
  extras?: Pick<EmailMessage, "cc" | "bcc" | "headers" | "attachments" | "attachment_names">;
  customData?: PushMessage["custom_data"] | undefined;
}

/** What a message for one person is composed of, besides the content. */
export interface ComposeInput {
  workspace: Workspace;
  person: Person;
  /** The data that the content sees beside the person. */
  cause: Cause;
  /** The public addresses of this message, where its reader unsubscribes and chooses preferences. */
  links: { unsubscribe_url: string; preferences_url: string };
  /** The kind of work whose turn the rendering takes. */
  kind: RenderTurn["kind"];
  /** Email: what is tracked. */
  tracking: { opens: boolean; clicks: boolean };
  /** It respects the person's subscription. */
  respects: boolean;
  /** Email: a real provider takes it, which has no sender of its own. */
  senderNeeded: boolean;
  /** Undefined where the message does not come from a call of its own. */
  call?: CallOptions | undefined;
}

/** The recipient and the rendered content of a message for one person. */
export interface Composed {
  recipient: string;
  content: Content;
}

/**
 * Composes a message for one person. @throws Problem template_error, content_missing, recipient_missing, recipient_invalid,
 * busy, and invalid_request for a sender in a call that is no address
 */
export async function compose({ channel, content, parts }: Source, input: ComposeInput): Promise<Composed> {
  const { workspace, person, cause, links, kind } = input;
  const turn = { workspaceId: workspace.id, kind };
  const texts = await renderParts(parts, { ...cause, person: personView(person), links, turn });
  const text: Texts = Object.fromEntries(parts.map((part, i) => [part.name, texts[i]]));
  if (channel === "email") {
    const message = { ...email(text, input), ...madeOf(content) };
    return { recipient: input.call?.to ?? ownMailbox(person), content: message };
  }
  if (channel === "push") return { recipient: input.call?.to ?? "all", content: push(text, input) };
  const message: SmsMessage = smsOf(text);
  return { recipient: input.call?.to ?? numberFor(text, input), content: message };
}

function ownMailbox(person: Person): string {
  const found = mailbox(person.email ?? "");
  if (!found) throw new Problem("recipient_invalid", "The person's email is not one address.");
  return found.address;
}

function email(text: Texts, input: ComposeInput): EmailMessage {
  const { email_from, email_reply_to } = input.workspace.sender_defaults;
  const { call, tracking } = input;
  const from = senderIn("from", text, call) ?? usableSender(email_from) ?? null;
  if (from === null && input.senderNeeded) {
    const advice = "set email_from in the workspace's sender_defaults, or give from";
    throw missingPart("from", `The email has no sender: ${advice}.`);
  }
  const headers = headersOf(input);
  return {
    ...emailOf(text, { from, replyTo: senderIn("reply_to", text, call) ?? usableSender(email_reply_to) }),
    ...call?.extras,
    ...(headers && { headers }),
    ...((tracking.opens || tracking.clicks) && { tracking }),
  };
}

/** Adds the headers of one-click unsubscribe, unless the call has a List-Unsubscribe of its own. */
function headersOf({ call, respects, links }: ComposeInput): Record<string, string> | undefined {
  const own = call?.extras?.headers;
  if (!respects || Object.keys(own ?? {}).some((name) => /^list-unsubscribe(-post)?$/i.test(name))) return own;
  return { ...oneClick(links.unsubscribe_url), ...own };
}

/** Returns the sender that the content names; undefined where it names none. */
function senderIn(name: "from" | "reply_to", text: Texts, call: CallOptions | undefined): string | undefined {
  const line = text[name]?.trim() ?? "";
  if (line === "") return undefined;
  if (mailbox(line)) return line;
  if (call) throw badField(`/${name}`, "must be one address, such as `Acme <hello@acme.test>`");
  throw new Problem("template_error", "The sender renders as no address.");
}

function push(text: Texts, { call }: ComposeInput): PushMessage {
  const message = { ...pushOf(text), ...(call?.customData && { custom_data: call.customData }) };
  if (fitsPhone(message)) return message;
  const what = `renders more than ${MOST_PUSH_BYTES} bytes with its title, links and custom_data`;
  throw new Problem("template_error", `The push ${what}; phones take no more.`, {
    errors: [{ pointer: "/message", message: what }],
    extra: { part: "message", line: null, column: null },
  });
}

/** Returns the number of the content, or the person's own. */
function numberFor(text: Texts, { workspace, person }: ComposeInput): string {
  const authored = text.to?.trim();
  if (authored) {
    const normal = normalPhone(authored, workspace.sender_defaults.country);
    if (normal) return normal;
    throw new Problem("recipient_invalid", "/content/to is not a phone number with its country code.", {
      errors: [{ pointer: "/content/to", message: "is not a phone number with its country code" }],
    });
  }
  if (person.phone !== null) return person.phone;
  throw new Problem("recipient_missing", "The person has no phone number: give `to`, or identify the person with one.");
}
