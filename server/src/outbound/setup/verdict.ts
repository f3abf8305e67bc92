import type { ConversationStep, TestCause } from "@tidings/contract/messages/outbound";
import { type ProviderKind, providerKinds } from "@tidings/contract/messages/providers";

/** Codes that a mail server answers where the login is wrong or lacks. */
const LOGIN = /^(?:530|534|535|538)\b/;
const CERTIFICATE = /certificate|altname|CERT_/i;

/** Tells from a conversation with a provider why its test failed, as far as the protocol tells it. */
export function causeOf(kind: ProviderKind, steps: readonly ConversationStep[], reason: string): TestCause {
  if (/^no answer within/.test(reason)) return "timeout";
  return kind === "smtp" ? smtpCause(steps, reason) : httpCause(steps, reason);
}

function smtpCause(steps: readonly ConversationStep[], reason: string): TestCause {
  const at = steps.findLastIndex(({ by, text }) => by === "them" && /^[45]/.test(text));
  if (at < 0) {
    if (CERTIFICATE.test(reason)) return "certificate";
    return steps.some(({ by }) => by === "them") ? "other" : "unreachable";
  }
  const answer = steps[at]?.text ?? "";
  const command = steps.slice(0, at).findLast(({ by }) => by === "us")?.text ?? "";
  if (LOGIN.test(answer) || /^AUTH |secret/.test(command)) return "credentials";
  if (answer.startsWith("4")) return "busy";
  if (command.startsWith("MAIL FROM")) return "sender";
  return command.startsWith("RCPT TO") ? "recipient" : "other";
}

function httpCause(steps: readonly ConversationStep[], reason: string): TestCause {
  const answer = steps.findLast(({ by }) => by === "them");
  const status = Number(/^HTTP (\d+)/.exec(answer?.text ?? "")?.[1]);
  if (!answer) return CERTIFICATE.test(reason) ? "certificate" : "unreachable";
  if ([401, 403].includes(status) || /^no access token/.test(reason)) return "credentials";
  if ([404, 405].includes(status) || (status >= 300 && status < 400)) return "settings";
  return status === 429 || status >= 500 ? "busy" : "other";
}

/** Returns the field that a user corrects first, as a pointer into the provider. */
export function fieldOf(kind: ProviderKind, cause: TestCause): string | undefined {
  if (cause === "credentials") {
    if (kind === "smtp") return "/credentials/password";
    const { required = [] } = providerKinds[kind].credentials as { required?: readonly string[] };
    return required.length === 1 ? `/credentials/${required[0]}` : "/credentials";
  }
  if (cause === "unreachable" || cause === "certificate" || cause === "timeout")
    return kind === "smtp" ? "/settings/host" : undefined;
  return undefined;
}
