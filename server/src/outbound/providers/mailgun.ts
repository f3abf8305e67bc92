import type { Ground } from "../../platform/ground.ts";
import { basic, CONCURRENCY, exchange, fine, reasonOf, type Reading, type Said, textAt } from "./exchange.ts";
import { mimeOf, recipientsOf } from "./mime.ts";
import type { Kind, Opening, Provider } from "./provider.ts";

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
    async hand({ message, deliveryId }) {
      const form = new FormData();
      for (const address of new Set(recipientsOf(message))) form.append("to", address);
      form.append("v:delivery_id", deliveryId);
      form.append(
        "message",
        new Blob([new Uint8Array(await mimeOf(message))], { type: "message/rfc822" }),
        "message.eml",
      );
      const multipart = new Response(form);
      const request = {
        method: "POST",
        headers: { authorization, "content-type": multipart.headers.get("content-type") ?? "" },
        body: Buffer.from(await multipart.arrayBuffer()),
      };
      return api.ask(`${base}/v3/${domain}/messages.mime`, request, judge);
    },
    check: async () => reasonOf(await api.ask(`${base}/v4/domains/${domain}`, { headers: { authorization } }, fine)),
    close: api.close,
  };
}

/** Mailgun tells errors apart by status and, within 400, by its words only. */
function judge({ status, json }: Said): Reading | undefined {
  const message = textAt(json, "message");
  if (status === 200) {
    const id = textAt(json, "id");
    return id === undefined ? undefined : { verdict: "sent", providerMessageId: id };
  }
  if (message === undefined) return undefined;
  if (status === 400 && /'?\bto\b'? parameter is not a valid address/i.test(message))
    return { verdict: "invalid_recipient", words: message };
  if (status === 400 && /domain .*(not allowed to send|disabled|unverified)/i.test(message))
    return { verdict: "credentials", words: message };
  return undefined;
}
