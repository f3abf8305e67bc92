/** The people and deliveries that seed.ts creates, by number. */
export const personId = (n: number): string => `person-${n}`;
export const emailOf = (n: number): string => `person-${n}@example.com`;
/** seed.ts computes the same UUID in SQL. */
export const deliveryId = (n: number): string =>
  typeId("dlv", `00000000-0000-8000-8000-${n.toString(16).padStart(12, "0")}`);

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/** Returns the id on the wire, a TypeID: the 128 bits of its UUID as 26 digits of Crockford's base32. */
export function typeId(prefix: string, uuid: string): string {
  const digits = BigInt(`0x${uuid.replaceAll("-", "")}`)
    .toString(32)
    .padStart(26, "0");
  return `${prefix}_${digits.replaceAll(/[i-v]/g, (digit) => DIGITS.charAt(Number.parseInt(digit, 32)))}`;
}
