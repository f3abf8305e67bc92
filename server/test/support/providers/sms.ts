import { Webhook } from "standardwebhooks";
import { emulator, must, type Reply } from "./emulator.ts";

/** A text message as an emulator understood it. */
export interface TakenSms {
  to: string;
  from: string;
  body: string;
  deliveryId?: string | undefined;
  callback?: string | undefined;
  extra?: Record<string, unknown>;
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

/** Twilio: POST Messages.json and GET of the account. */
export function twilioEmulator(sid: string, token: string) {
  const no = (status: number, code: number, message: string): Reply => ({
    status,
    body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  });
  return emulator<TakenSms>((seen, take) => {
    if (seen.headers.authorization !== basic(sid, token)) return no(401, 20003, "Authenticate");
    const account = `/2010-04-01/Accounts/${sid}`;
    if (seen.method === "GET" && seen.url.pathname === `${account}.json`)
      return { status: 200, body: { sid, status: "active" } };
    if (seen.method !== "POST" || seen.url.pathname !== `${account}/Messages.json`)
      return no(404, 20404, "The requested resource was not found");
    must(seen.headers["content-type"] === "application/x-www-form-urlencoded", "a form");
    const form = new URLSearchParams(seen.body.toString("utf8"));
    const from = form.get("From") ?? form.get("MessagingServiceSid");
    if (!form.get("To")) return no(400, 21604, "A 'To' phone number is required.");
    if (!from) return no(400, 21603, "A 'From' phone number is required.");
    take({
      to: form.get("To") ?? "",
      from,
      body: form.get("Body") ?? "",
      callback: form.get("StatusCallback") ?? undefined,
    });
    return { status: 201, body: { sid: "SM11111111111111111111111111111111", status: "queued", error_code: null } };
  });
}

/** Vonage: POST /sms/json, which always answers 200, and GET /account/get-balance. */
export function vonageEmulator(key: string, secret: string) {
  const one = (status: string, text?: string): Reply => ({
    status: 200,
    body: { "message-count": "1", messages: [{ status, ...(text && { "error-text": text }) }] },
  });
  return emulator<TakenSms>((seen, take) => {
    if (seen.method === "GET" && seen.url.pathname === "/account/get-balance")
      return seen.headers.authorization === basic(key, secret)
        ? { status: 200, body: { value: 10.28, autoReload: false } }
        : { status: 401, body: { "error-code": "401", "error-code-label": "authentication failed" } };
    if (seen.method !== "POST" || seen.url.pathname !== "/sms/json") return { status: 404 };
    const form = new URLSearchParams(seen.body.toString("utf8"));
    for (const name of ["from", "to", "text"]) if (!form.get(name)) return one("2", `Missing ${name} param`);
    if (form.get("api_key") !== key || form.get("api_secret") !== secret) return one("4", "Bad Credentials");
    if (!/^\d{7,15}$/.test(form.get("to") ?? "")) return one("3", "to address is not numeric");
    take({
      to: form.get("to") ?? "",
      from: form.get("from") ?? "",
      body: form.get("text") ?? "",
      deliveryId: form.get("client-ref") ?? undefined,
      callback: form.get("callback") ?? undefined,
      extra: { type: form.get("type") },
    });
    const message = { to: form.get("to"), "message-id": "0A0000000123ABCD1", status: "0", "remaining-balance": "3.14" };
    return { status: 200, body: { "message-count": "1", messages: [message] } };
  });
}

/** An operator's own gateway, which checks token and signature with the library of Standard Webhooks. */
export const gatewayEmulator = (token: string, secret: string) =>
  emulator<TakenSms>((seen, take) => {
    if (seen.headers.authorization !== `Bearer ${token}`) return { status: 401 };
    if (seen.method === "HEAD") return { status: 405 };
    const text = seen.body.toString("utf8");
    new Webhook(secret).verify(text, seen.headers as Record<string, string>);
    const { id, to, from, body, callback_url, segments } = JSON.parse(text);
    must(seen.headers["idempotency-key"] === id && seen.headers["webhook-id"] === id, "its id as key");
    take({
      to,
      from,
      body,
      deliveryId: id,
      callback: callback_url,
      extra: { segments, kept: seen.headers["x-tenant"] },
    });
    return { status: 202, body: { id: "gw-1" } };
  });
