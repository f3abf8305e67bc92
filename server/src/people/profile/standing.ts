import type { Vouch } from "../../workspaces/index.ts";
import { type Change, normalEmail, normalPhone } from "./attributes.ts";

const NORMAL = { email: normalEmail, phone: normalPhone };

/**
 * A change with what the word of who says it is worth: an address is verified where a secret key or the person's own token
 * says it, and else what the workspace makes of it. A claim stands apart from the address, and takes nothing away.
 * @param country of the workspace, by which a number in a token is read
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
