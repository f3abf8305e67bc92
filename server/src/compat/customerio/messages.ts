import type { CustomerioEmail, CustomerioPush, CustomerioSms } from "@tidings/contract/compat";
import { EmailTrigger, PushTrigger, SmsTrigger } from "@tidings/contract/messages/transactionals";
import { badField, checkShape } from "../../platform/http/index.ts";

// Customer.io's three send calls as our triggers. What comes out has passed the schema of our own route.

/** Whom the call names, once a cio_id is resolved. */
export type Named = { id: string } | { email: string };

const checkEmail = checkShape(EmailTrigger);
const checkPush = checkShape(PushTrigger);
const checkSms = checkShape(SmsTrigger);

/** @throws Problem invalid_request */
export function emailOf(call: CustomerioEmail, identifiers: Named): EmailTrigger {
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

/** @throws Problem invalid_request */
export function pushOf(call: CustomerioPush, identifiers: Named): PushTrigger {
  const { to, title, message, image_url, link, custom_data } = call;
  return checkPush({
    ...common(call, identifiers),
    ...given({ to, title, message, image_url, link }),
    ...(custom_data && { custom_data }),
  });
}

/** @throws Problem invalid_request */
export const smsOf = (call: CustomerioSms, identifiers: Named): SmsTrigger =>
  checkSms({ ...common(call, identifiers), ...given({ to: call.to, body: call.body }) });

function common(call: CustomerioEmail | CustomerioPush | CustomerioSms, identifiers: Named): Record<string, unknown> {
  // Theirs waits for somebody to send it by hand. To send it at once, or never, would both be wrong.
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

/** An empty text is theirs for "as in the template". */
const given = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => !!entry[1]));

/** A list, or addresses in one text with commas between them; a comma inside quotes belongs to a name. */
function addresses(value: string | string[] | undefined): string[] {
  const texts = typeof value === "string" ? (value.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []) : (value ?? []);
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}
