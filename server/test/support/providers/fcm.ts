import { createPublicKey } from "node:crypto";
import { jwtVerify } from "jose";
import { emulator, must, type Reply } from "./emulator.ts";

export interface TakenFcm {
  token: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it as it likes
  message: any;
}

/** An error of FCM HTTP v1, as its reference shows it. */
export const fcmError = (
  code: number,
  status: string,
  errorCode?: string,
  { message = "Said so", field }: { message?: string; field?: string } = {},
): Reply => ({
  status: code,
  body: {
    error: {
      code,
      message,
      status,
      details: [
        ...(errorCode ? [{ "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode }] : []),
        ...(field ? [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field }] }] : []),
      ],
    },
  },
});

/**
 * FCM and Google's token server in one: /token checks the service account's assertion and returns tokens that messages:send
 * accepts while they are valid. `token-dead` and `token-foreign` are devices.
 */
export async function fcmEmulator(publicPem: string, email: string, now: () => Date = () => new Date()) {
  const key = createPublicKey(publicPem);
  const tokens = { given: [] as string[], live: "", seconds: 3_599 };
  let sent = 0;
  const far = await emulator<TakenFcm>(async (seen, take) => {
    if (seen.url.pathname === "/token") {
      const form = new URLSearchParams(seen.body.toString("utf8"));
      must(form.get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer", "the grant");
      const aimed = { issuer: email, audience: seen.url.href, algorithms: ["RS256"], currentDate: now() };
      const checked = await jwtVerify(form.get("assertion") ?? "", key, aimed).catch(() => undefined);
      if (!checked)
        return { status: 400, body: { error: "invalid_grant", error_description: "Invalid JWT Signature." } };
      must(checked.payload.scope === "https://www.googleapis.com/auth/firebase.messaging", "the scope");
      must(Number(checked.payload.exp) - Number(checked.payload.iat) <= 3_600, "an hour at the most");
      tokens.live = `ya29.token-${tokens.given.length + 1}`;
      tokens.given.push(tokens.live);
      const body = { access_token: tokens.live, expires_in: tokens.seconds, token_type: "Bearer" };
      return { status: 200, body };
    }
    if (seen.headers.authorization !== `Bearer ${tokens.live}`) return fcmError(401, "UNAUTHENTICATED");
    if (seen.method !== "POST" || seen.url.pathname !== "/v1/projects/acme-1/messages:send")
      return { status: 404, body: "<html>Not Found</html>" };
    const { message, validate_only } = JSON.parse(seen.body.toString("utf8"));
    if (validate_only) return { status: 200, body: { name: "projects/acme-1/messages/fake_message_id" } };
    if (message.token === "token-dead") return fcmError(404, "NOT_FOUND", "UNREGISTERED");
    if (message.token === "token-foreign") return fcmError(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH");
    for (const value of Object.values(message.data)) must(typeof value === "string", "data of strings");
    take({ token: message.token, message });
    return { status: 200, body: { name: `projects/acme-1/messages/0:${++sent}` } };
  });
  /** Calls of messages:send. */
  const sends = () => far.calls.filter(({ url }) => url.pathname !== "/token");
  return { ...far, far, tokens, sends };
}
