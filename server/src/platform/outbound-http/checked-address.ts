import type { Config } from "../config.ts";
import { badField, Problem } from "../http/index.ts";
import { isPublicAddress, literalAddress } from "./addresses.ts";

/**
 * Returns an address that somebody gave in the field `at`, in its normal form. The addresses of a host name are checked at each call.
 * @param signedBy what takes the place of credentials in the address, for the error
 * @throws Problem invalid_request; address_not_allowed for a private address
 */
export function checkedAddress(
  { allowPrivateNetwork }: Pick<Config, "allowPrivateNetwork">,
  text: string,
  { at, signedBy }: { at: string; signedBy: string },
): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw badField(at, "must be an http or https address");
  if (url.username || url.password) throw badField(at, `must not contain credentials: ${signedBy}`);
  if (url.hash) throw badField(at, "must not have a fragment (#): it is never sent");
  const literal = literalAddress(url);
  const isPrivate = literal === undefined ? /^(.+\.)?localhost\.?$/.test(url.hostname) : !isPublicAddress(literal);
  if (isPrivate && !allowPrivateNetwork)
    throw new Problem(
      "address_not_allowed",
      "The address is not on the public internet. Use a public address, or start Tidings with ALLOW_PRIVATE_NETWORK=true.",
    );
  return url;
}
