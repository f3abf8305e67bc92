import { emulator, must, type TakenEmail } from "./emulator.ts";
import { fromMime } from "./mime.ts";

/** Mailgun: POST /v3/{domain}/messages.mime and GET /v4/domains/{domain}. */
export const mailgunEmulator = (key: string, domain: string) =>
  emulator<TakenEmail>(async (seen, take) => {
    if (seen.headers.authorization !== `Basic ${Buffer.from(`api:${key}`).toString("base64")}`)
      return { status: 401, body: "Forbidden" };
    if (seen.method === "GET" && seen.url.pathname === `/v4/domains/${domain}`)
      return { status: 200, body: { domain: { name: domain, state: "active" } } };
    if (seen.method !== "POST" || seen.url.pathname !== `/v3/${domain}/messages.mime`)
      return { status: 404, body: { message: "Domain not found: other.test" } };
    const headers = { "content-type": String(seen.headers["content-type"]) };
    const form = await new Response(new Uint8Array(seen.body), { headers }).formData();
    const file = form.get("message");
    must(file instanceof File, "message as a file");
    const to = form.getAll("to").map(String);
    if (to.length === 0) return { status: 400, body: { message: "to parameter is missing" } };
    take(await fromMime(Buffer.from(await file.arrayBuffer()), to, form.get("v:delivery_id")));
    return { status: 200, body: { id: "<20260921.1@acme.test>", message: "Queued. Thank you." } };
  });
