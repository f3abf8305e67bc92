import { randomUUID } from "node:crypto";
import type { Ground } from "../../../platform/ground.ts";
import { nextTurn } from "../../../platform/turns.ts";
import {
  type AnswerReading,
  any2xx,
  basic,
  CONCURRENCY,
  exchange,
  type ProviderAnswer,
  reasonOf,
  textAt,
} from "../protocol/exchange.ts";
import type { Kind, Opening, Provider } from "../protocol/provider.ts";
import { mimeOf, recipientsOf } from "./mime.ts";

/** Mailgun, "Send an email in MIME format": POST /v3/{domain}/messages.mime. It keeps our Message-ID. */
export const mailgun: Kind<"mailgun"> = {
  credentialsGoTo: ({ region = "us", endpoint }) => ({ region, endpoint }),
  open: mailgunProvider,
};

function mailgunProvider(ground: Ground, { settings, credentials, scrub }: Opening<"mailgun">): Provider<"email"> {
  const base = settings.endpoint ?? `https://api${settings.region === "eu" ? ".eu" : ""}.mailgun.net`;
  const domain = encodeURIComponent(settings.domain);
  const authorization = basic("api", credentials.api_key);
  const api = exchange(ground, scrub);
  return {
    kind: "mailgun",
    concurrency: CONCURRENCY,
    async hand({ message, reference }) {
      const to = [...new Set(recipientsOf(message))];
      const fields = [...to.map((address) => ["to", address]), ["v:delivery_id", reference]];
      const mime = await mimeOf(message);
      // To build a message of 20 MiB takes 25 ms.
      await nextTurn();
      const boundary = randomUUID();
      const request = {
        method: "POST",
        headers: { authorization, "content-type": `multipart/form-data; boundary=${boundary}` },
        body: multipart(boundary, fields as [string, string][], mime),
      };
      return api.call(`${base}/v3/${domain}/messages.mime`, request, readAnswer);
    },
    check: async () => reasonOf(await api.call(`${base}/v4/domains/${domain}`, { headers: { authorization } }, any2xx)),
    close: api.close,
  };
}

/** Writes RFC 7578 itself: FormData and Blob copy 20 MiB four times, which takes 40 ms. Names and values are one line without quotes. */
function multipart(boundary: string, fields: [name: string, value: string][], mime: Buffer): Buffer {
  const head = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
  const before = fields.map(([name, value]) => `${head(name)}\r\n\r\n${value}\r\n`).join("");
  const file = `${head("message")}; filename="message.eml"\r\ncontent-type: message/rfc822\r\n\r\n`;
  return Buffer.concat([Buffer.from(before + file), mime, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** Mailgun distinguishes errors by status and, within 400, only by its texts. */
function readAnswer({ status, json }: ProviderAnswer): AnswerReading | undefined {
  const message = textAt(json, "message");
  if (status === 200) {
    const id = textAt(json, "id");
    return id === undefined ? undefined : { meaning: "sent", providerMessageId: id };
  }
  if (message === undefined) return undefined;
  if (status === 400 && /'?\bto\b'? parameter is not a valid address/i.test(message))
    return { meaning: "invalid_recipient", words: message };
  if (status === 400 && /domain .*(not allowed to send|disabled|unverified)/i.test(message))
    return { meaning: "credentials", words: message };
  return undefined;
}
