import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { normalPhone, ownerOfToken } from "../../people/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { newId } from "../../platform/ids.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { LOCAL_SENDER } from "../message/email.ts";
import type { Content, EmailMessage, Job } from "../message/message.ts";

type Workspace = { id: string; sender_defaults: { email_from?: string; country?: string } };

const TEXT = "This provider works.";

/** The job of a message that has no row. */
const jobFor = (workspaceId: string, channel: PushedChannel) => ({
  workspaceId,
  personKey: newId(),
  deliveryId: newId(),
  channel,
  bulk: false,
  attempts: 0,
  leaseId: newId(),
  atMostOnce: false,
  undetermined: false,
  overdue: false,
});

/** The job of an email that has no row. */
export const emailJob = (
  workspaceId: string,
  recipient: string,
  content: EmailMessage,
): Job & { content: EmailMessage } => ({ ...jobFor(workspaceId, "email"), recipient, content });

/** A small message to test a provider with. It is no delivery: no row is written. @throws Problem recipient_invalid */
export async function testJob(
  q: Queries,
  workspace: Workspace,
  channel: PushedChannel,
  to: string,
): Promise<Job & { content: Content }> {
  const { email_from: from = LOCAL_SENDER, country } = workspace.sender_defaults;
  if (channel === "email") {
    if (!mailbox(to)) throw new Problem("recipient_invalid", "to is not an email address.");
    return emailJob(workspace.id, to, { from, subject: "Test from Tidings", body: `<p>${TEXT}</p>` });
  }
  const base = jobFor(workspace.id, channel);
  if (channel === "sms") {
    const number = normalPhone(to, country);
    if (!number) throw new Problem("recipient_invalid", "to is not a phone number with its country code.");
    return { ...base, recipient: number, content: { body: TEXT, segments: 1 } };
  }
  const owner = await ownerOfToken(q, workspace.id, to);
  if (!owner) throw new Problem("recipient_invalid", "to is not the token of a device that is registered here.");
  return { ...base, personKey: owner, recipient: to, content: { title: "Tidings", message: TEXT } };
}
