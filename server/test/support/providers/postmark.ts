import { decoded, emulator, lower, type Reply, type TakenEmail } from "./emulator.ts";

const no = (status: number, ErrorCode: number, Message: string): Reply => ({ status, body: { ErrorCode, Message } });
const bare = (text: string) => /<([^>]+)>$/.exec(text)?.[1] ?? text;
const list = (text = "") => (text === "" ? [] : text.split(", ").map(bare));

/** Postmark: POST /email and GET /server. */
export const postmarkEmulator = (token: string) =>
  emulator<TakenEmail>((seen, take) => {
    if (seen.headers["x-postmark-server-token"] !== token)
      return no(401, 10, "The Server Token you provided in the X-Postmark-Server-Token request header was invalid.");
    if (seen.method === "GET" && seen.url.pathname === "/server") return { status: 200, body: { ID: 1, Name: "Acme" } };
    if (seen.method !== "POST" || seen.url.pathname !== "/email") return { status: 404 };
    if (seen.headers["content-type"] !== "application/json") return no(422, 409, "JSON required");
    const mail = JSON.parse(seen.body.toString("utf8"));
    if (!mail.From || !mail.To || !(mail.HtmlBody || mail.TextBody)) return no(422, 300, "Zero recipients specified");
    const headers = lower(mail.Headers.map((entry: { Name: string; Value: string }) => [entry.Name, entry.Value]));
    take({
      from: mail.From.replaceAll('"', ""),
      to: list(mail.To),
      cc: list(mail.Cc),
      bcc: list(mail.Bcc),
      replyTo: mail.ReplyTo && bare(mail.ReplyTo),
      subject: mail.Subject,
      text: mail.TextBody,
      html: mail.HtmlBody,
      headers,
      attachments: mail.Attachments.map((entry: { Name: string; Content: string }) => ({
        name: entry.Name,
        text: decoded(entry.Content),
      })),
      deliveryId: mail.Metadata.delivery_id,
      extra: { stream: mail.MessageStream, type: mail.Attachments[0]?.ContentType },
    });
    const MessageID = "b7bc2f4a-e38e-4336-af7d-e6c392c2f817";
    return { status: 200, body: { To: mail.To, MessageID, ErrorCode: 0, Message: "OK" } };
  });
