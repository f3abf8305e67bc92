import type { CustomerioEmail, CustomerioPush, CustomerioSms } from "@tidings/contract/compat";
import { EmailTrigger, PushTrigger, SmsTrigger } from "@tidings/contract/messages/transactionals";
import { badField, checkShape } from "../../platform/http/index.ts";

// Translates Customer.io's three send calls to triggers. The results have passed the schemas of the trigger's routes.

/** The recipient that the call names, after a cio_id is resolved. */
export type Recipient = { id: string } | { email: string };

const checkEmail = checkShape(EmailTrigger);
const checkPush = checkShape(PushTrigger);
const checkSms = checkShape(SmsTrigger);

/** Translates a call of /send/email. @throws Problem invalid_request */
export function emailOf(call: CustomerioEmail, identifiers: Recipient): EmailTrigger {
  const cc = addresses(call.cc);
  const bcc = addresses(call.bcc);
  const headers = Object.entries(call.headers ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  return checkEmail({
    ...common(call, identifiers),
    ...given({
      to: call.to,
      subject: call.subject,
      body: call.body,
      plaintext_body: call.body_plain ?? call.plaintext_body,
      preheader: call.preheader,
      from: call.from,
      reply_to: call.reply_to,
    }),
    ...(cc.length > 0 && { cc }),
    ...(bcc.length > 0 && { bcc }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(call.attachments && { attachments: call.attachments }),
  });
}

/** Translates a call of /send/push. @throws Problem invalid_request */
export function pushOf(call: CustomerioPush, identifiers: Recipient): PushTrigger {
  const { to, title, message, image_url, link, custom_data } = call;
  return checkPush({
    ...common(call, identifiers),
    ...given({ to, title, message, image_url, link }),
    ...(custom_data && { custom_data }),
  });
}

/** Translates a call of /send/sms. @throws Problem invalid_request */
export const smsOf = (call: CustomerioSms, identifiers: Recipient): SmsTrigger =>
  checkSms({ ...common(call, identifiers), ...given({ to: call.to, body: call.body }) });

function common(
  call: CustomerioEmail | CustomerioPush | CustomerioSms,
  identifiers: Recipient,
): Record<string, unknown> {
  // Customer.io keeps such a message until somebody sends it by hand. To send it at once would be wrong, and so would be never to send it.
  if (call.queue_draft) throw badField("/queue_draft", "is not possible: Tidings has no drafts of single messages");
  const { transactional_message_id: id, message_data, send_at, disable_message_retention } = call;
  return {
    identifiers,
    ...(id !== undefined && id !== "" && { transactional_message_id: String(id) }),
    ...(message_data && { message_data }),
    ...(send_at !== undefined && { send_at: new Date(send_at * 1000).toISOString() }),
    ...(disable_message_retention !== undefined && { disable_message_retention }),
  };
}

/** Drops empty texts: for Customer.io they mean "as in the template". */
const given = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => !!entry[1]));

/** Splits addresses: a list, or one text with commas between them. A comma inside quotes belongs to a name. */
function addresses(value: string | string[] | undefined): string[] {
  const texts = typeof value === "string" ? (value.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []) : (value ?? []);
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}
