import { decoded, emulator, lower, must, type Reply, type TakenEmail } from "./emulator.ts";

const no = (statusCode: number, name: string, message: string): Reply => ({
  status: statusCode,
  body: { statusCode, name, message },
});
const bare = (text: string) => /<([^>]+)>$/.exec(text)?.[1] ?? text;

/** Resend: POST /emails with its idempotency keys, and GET /domains. */
export function resendEmulator(key: string) {
  const known = new Map<string, { body: string; id: string }>();
  return emulator<TakenEmail>((seen, take) => {
    const { authorization } = seen.headers;
    if (authorization === undefined) return no(401, "missing_api_key", "Missing API key in the authorization header.");
    if (authorization !== `Bearer ${key}`) return no(403, "invalid_api_key", "API key is invalid.");
    if (seen.method === "GET" && seen.url.pathname === "/domains") return { status: 200, body: { data: [] } };
    if (seen.method !== "POST" || seen.url.pathname !== "/emails") return no(404, "not_found", "Not found.");
    const text = seen.body.toString("utf8");
    const mail = JSON.parse(text);
    if (!mail.from || !mail.to?.length || !mail.subject)
      return no(422, "missing_required_field", "The request body is missing one or more required fields.");
    const idempotency = String(seen.headers["idempotency-key"]);
    must(idempotency.length <= 256, "an idempotency key");
    const before = known.get(idempotency);
    if (before && before.body !== text)
      return no(409, "invalid_idempotent_request", "Same idempotency key used with a different request payload.");
    if (before) return { status: 200, body: { id: before.id } };
    const id = `49a3999c-0ce1-4ea6-ab68-${String(known.size).padStart(12, "0")}`;
    known.set(idempotency, { body: text, id });
    take({
      from: mail.from.replaceAll('"', ""),
      to: mail.to.map(bare),
      cc: (mail.cc ?? []).map(bare),
      bcc: (mail.bcc ?? []).map(bare),
      replyTo: mail.reply_to?.map(bare)[0],
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: lower(Object.entries(mail.headers)),
      attachments: (mail.attachments ?? []).map((entry: { filename: string; content: string }) => ({
        name: entry.filename,
        text: decoded(entry.content),
      })),
      deliveryId: mail.tags.find((tag: { name: string }) => tag.name === "delivery_id").value,
      extra: { idempotency },
    });
    return { status: 200, body: { id } };
  });
}
