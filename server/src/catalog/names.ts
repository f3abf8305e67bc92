import type { ValueType } from "@tidings/contract/facts/catalog";

const MOST_CHARACTERS = 200;
/** Names that programs make from ids and addresses: no author picks one from a list, and they may name a person. */
const MADE = /@|\d{7}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-|(?=[0-9a-f]*\d)[0-9a-f]{16}|\p{Cc}/iu;

/** Whether the catalog takes the name of an event, a property or an attribute. */
export const isCatalogName = (name: string): boolean =>
  name.trim() !== "" && name.length <= MOST_CHARACTERS && name.isWellFormed() && !MADE.test(name);

/** The bits of the column `types`. */
const BITS: Record<ValueType, number> = { string: 1, number: 2, boolean: 4, object: 8, array: 16, time: 32 };

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** Returns the bit of a value's type; 0 for null and undefined, which say nothing about the type. */
export function typeBit(value: unknown): number {
  switch (typeof value) {
    case "string":
      return value.length >= 10 && value.length <= 40 && TIME.test(value) ? BITS.time : BITS.string;
    case "number":
      return BITS.number;
    case "boolean":
      return BITS.boolean;
    case "object":
      return value === null ? 0 : Array.isArray(value) ? BITS.array : BITS.object;
    default:
      return 0;
  }
}

/** Returns the types of a column `types`. */
export const typesIn = (bits: number): ValueType[] =>
  (Object.keys(BITS) as ValueType[]).filter((type) => (bits & BITS[type]) !== 0);
