import type { ProviderKind } from "@tidings/contract/messages/providers";
import type { Ground } from "../../../platform/ground.ts";
import { encodeId } from "../../../platform/ids.ts";
import { isPublicAddress, literalAddress } from "../../../platform/outbound-http/index.ts";
import type { HandOff, Opening } from "./provider.ts";

/**
 * Returns the address for callbacks about one delivery, for APIs that get it with each message. Undefined where PUBLIC_URL can't
 * be reached from outside: Twilio refuses such a message (21609).
 */
export function callbackUrl(
  ground: Ground,
  kind: "twilio" | "vonage" | "http",
  { id }: Pick<Opening<typeof kind>, "id">,
  { reference }: Pick<HandOff, "reference">,
): string | undefined {
  if (id === null) return undefined;
  const url = new URL(ground.config.publicUrl);
  const literal = literalAddress(url);
  const outside = literal === undefined ? url.hostname.includes(".") : isPublicAddress(literal);
  if (!outside) return undefined;
  const address = callbackAddress(ground, kind, id);
  // Vonage accepts 100 characters, and names the delivery in `client-ref`.
  return kind === "vonage" ? address : `${address}?delivery=${reference}`;
}

/** The address where a provider reports what became of messages. */
export const callbackAddress = ({ config }: Pick<Ground, "config">, kind: ProviderKind, id: string): string =>
  `${config.publicUrl.replace(/\/$/, "")}/callbacks/${kind}/${encodeId("prv", id)}`;
