import PostalMime from "postal-mime";
import { lower, must, type TakenEmail } from "./emulator.ts";

/** Reads a MIME message. @param recipients all of the envelope: one that is in no header is a blind copy */
export async function fromMime(raw: Buffer, recipients: string[], deliveryId: unknown): Promise<TakenEmail> {
  const mail = await PostalMime.parse(raw);
  const addresses = (list: { address?: string | undefined }[] = []) => list.map((entry) => entry.address ?? "");
  must(mail.from?.address, "From");
  must(!/^bcc:/im.test(raw.toString("latin1")), "a message without Bcc");
  const [to, cc] = [addresses(mail.to), addresses(mail.cc)];
  return {
    from: `${mail.from.name} <${mail.from.address}>`,
    to,
    cc,
    bcc: recipients.filter((address) => !to.includes(address) && !cc.includes(address)),
    replyTo: mail.replyTo?.[0]?.address,
    subject: mail.subject ?? "",
    text: mail.text?.trim() ?? "",
    html: mail.html?.trim() ?? "",
    headers: lower(mail.headers.map(({ key, value }) => [key, value])),
    attachments: mail.attachments.map(({ filename, content }) => ({
      name: filename ?? "",
      text: Buffer.from(content as ArrayBuffer).toString("utf8"),
    })),
    deliveryId,
  };
}
