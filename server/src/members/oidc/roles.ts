import { type Role, type RoleMapping, roles } from "@tidings/contract/members";

/** Returns the highest role that the claim gives, else that of everybody else; null: the provider's word lets nobody in. */
export function roleBy(
  { claim, roles: given, otherwise = null }: RoleMapping,
  claims: Record<string, unknown>,
): Role | null {
  // Own fields only: a claim named "constructor" must not find a function.
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const values = new Set([value].flat().filter((one) => typeof one === "string"));
  return roles.find((role) => given[role]?.some((wanted) => values.has(wanted))) ?? otherwise;
}
