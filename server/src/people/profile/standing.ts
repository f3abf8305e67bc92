import type { Vouch } from "../../workspaces/index.ts";
import { type Change, normalEmail, normalPhone } from "./attributes.ts";

const NORMAL = { email: normalEmail, phone: normalPhone };

/**
 * Returns the change with the standing of its addresses: an address is verified if a secret key or the person's own token reports it;
 * otherwise it has the standing that the workspace gives to the caller. A claim is stored beside the address and does not change it.
 * @param country of the workspace, for phone numbers in a token without a country code
 */
export function attested(change: Change, personId: string, vouch: Vouch, country: string | undefined): Change {
  const proof = vouch.proof?.personId === personId ? vouch.proof : undefined;
  let result = change;
  for (const name of ["email", "phone"] as const) {
    const { [name]: address, ...rest } = result;
    if (address === undefined) continue;
    const proven = proof?.[name];
    const proves = address !== null && proven !== undefined && NORMAL[name](proven, country) === address;
    const standing = proves ? "verified" : vouch.standing;
    if (standing === "claimed") {
      result = { ...rest, [`claimed_${name}`]: address };
      if (address !== null) vouch.count?.();
    } else if (standing === "verified") result = { ...result, [`${name}_verified`]: address !== null };
  }
  return result;
}
