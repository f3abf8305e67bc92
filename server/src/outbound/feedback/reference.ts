import { decodeId, encodeId } from "../../platform/ids.ts";
import { packId, unpackId } from "../../platform/links.ts";
import type { PlacedDelivery } from "./places-store.ts";

const ID_LENGTH = "dlv_".length + 26;
/** A packed UUID: 22 characters of base64url. */
const PERSON = /^_[\w-]{21}[AQgw]$/;

/**
 * Returns what a provider gets with a message and names in its callbacks: the TypeID of the delivery and, in shards, `_` and the person's
 * key, which tells in which shard the delivery is. It has letters, digits, `_` and `-` alone, because tags of SES and Resend accept no others.
 */
export const referenceTo = ({ deliveryId, personKey }: PlacedDelivery): string =>
  `${encodeId("dlv", deliveryId)}${personKey === undefined ? "" : `_${packId(personKey)}`}`;

/** Returns the delivery of a reference; undefined for any other value. */
export function deliveryOf(value: unknown): PlacedDelivery | undefined {
  if (typeof value !== "string") return undefined;
  const [id, person] = [value.slice(0, ID_LENGTH), value.slice(ID_LENGTH)];
  const deliveryId = decodeId("dlv", id);
  if (deliveryId === undefined || (person !== "" && !PERSON.test(person))) return undefined;
  return { deliveryId, ...(person !== "" && { personKey: unpackId(person.slice(1)) }) };
}
