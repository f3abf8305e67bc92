import { decoded, emulator, lower, type Reply, type TakenEmail } from "./emulator.ts";

const no = (status: number, message: string, field: string | null = null): Reply => ({
  status,
  body: { errors: [{ message, field, help: null }] },
});
interface Person {
  email: string;
  name?: string;
}

/** SendGrid v3: POST /v3/mail/send and GET /v3/scopes. */
export const sendgridEmulator = (key: string, scopes = ["mail.send"]) =>
  emulator<TakenEmail>((seen, take) => {
    if (seen.headers.authorization !== `Bearer ${key}`)
      return no(401, "The provided authorization grant is invalid, expired, or revoked");
    if (seen.method === "GET" && seen.url.pathname === "/v3/scopes") return { status: 200, body: { scopes } };
    if (seen.method !== "POST" || seen.url.pathname !== "/v3/mail/send") return no(404, "not found");
    const mail = JSON.parse(seen.body.toString("utf8"));
    const [{ to, cc = [], bcc = [] }] = mail.personalizations as { to: Person[]; cc?: Person[]; bcc?: Person[] }[] as [
      { to: Person[]; cc?: Person[]; bcc?: Person[] },
    ];
    const everybody = [...to, ...cc, ...bcc].map(({ email }) => email.toLowerCase());
    if (new Set(everybody).size < everybody.length)
      return no(
        400,
        "Each email address in the personalization block should be unique between to, cc, and bcc.",
        "personalizations",
      );
    if (mail.content.some((part: { value: string }) => part.value === ""))
      return no(400, "The content value must be a string at least one character in length.", "content.0.value");
    if (mail.content[0].type !== "text/plain") return no(400, "text/plain must be first", "content");
    const emails = (list: Person[]) => list.map(({ email }) => email);
    take({
      from: `${mail.from.name} <${mail.from.email}>`,
      to: emails(to),
      cc: emails(cc),
      bcc: emails(bcc),
      replyTo: mail.reply_to?.email,
      subject: mail.subject,
      text: mail.content[0].value,
      html: mail.content[1].value,
      headers: lower(Object.entries(mail.headers)),
      attachments: (mail.attachments ?? []).map((entry: { filename: string; content: string }) => ({
        name: entry.filename,
        text: decoded(entry.content),
      })),
      deliveryId: mail.custom_args.delivery_id,
    });
    return { status: 202, headers: { "x-message-id": "14c5d75ce93.dfd.64b469" } };
  });
