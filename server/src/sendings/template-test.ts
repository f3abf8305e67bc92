import type { EmailTemplateTestSend } from "@tidings/contract/messages/templates";
import { compose, type OutboundGround, sourceOf } from "../outbound/index.ts";
import type { Tx } from "../platform/db/index.ts";
import { badField, notFound, Problem } from "../platform/http/index.ts";
import { encodeId, newId } from "../platform/ids.ts";
import { mailbox } from "../platform/mailbox.ts";
import { messageLinks } from "../subscriptions/index.ts";
import { newestTemplates } from "../templates/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import { queueTest, thePerson } from "./try-out.ts";

interface TemplateTest {
  workspace: Workspace;
  templateId: string;
  input: EmailTemplateTestSend;
  now: Date;
}

/**
 * Sends the newest version of an email template as one person would get it: to that person, or to another address, such as the author's own. It
 * is sent also if the person unsubscribed. Returns the delivery's id.
 * @throws Problem not_found, person_not_found, recipient_missing, invalid_request for a wrong address, and problems of rendering
 */
export async function sendTemplateTest(
  tx: Tx,
  ground: OutboundGround,
  { workspace, templateId, input, now }: TemplateTest,
): Promise<string> {
  const [template] = await newestTemplates(tx, [{ workspaceId: workspace.id, id: templateId }]);
  if (!template) throw notFound("email template");
  const person = await thePerson(tx, workspace.id, input.person_id);
  const to = input.to === undefined ? undefined : mailbox(input.to)?.address;
  if (input.to !== undefined && to === undefined) throw badField("/to", "is not one email address");
  if (to === undefined && person.email === null)
    throw new Problem("recipient_missing", "The person has no email address: give `to`, or identify them with one.");
  const deliveryId = newId();
  const at = { workspaceId: workspace.id, personKey: person.person_key, channel: "email" as const, deliveryId };
  const made = { template_id: encodeId("tpl", templateId), template_version: template.version };
  const composed = await compose(sourceOf("email", { ...template.content, ...made }), {
    workspace,
    person,
    cause: { trigger: input.message_data ?? {} },
    links: messageLinks(ground, { ...at, topicId: undefined }),
    kind: "preview",
    tracking: { opens: false, clicks: false },
    respects: false,
    senderNeeded: await ground.senders.needsSender(workspace.id),
    call: { to },
  });
  return queueTest(tx, ground, { person, deliveryId, channel: "email", composed, now });
}
