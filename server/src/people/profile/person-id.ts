import { PersonId } from "@tidings/contract/primitives";

const { maxLength = 0, pattern = "" } = PersonId as { maxLength?: number; pattern?: string };
const SHAPE = new RegExp(pattern, "u");

/** Whether a text can be a person_id by the contract's rule, which counts characters and not UTF-16 units. */
export const isPersonId = (text: string): boolean =>
  SHAPE.test(text) && (text.length <= maxLength || [...text.slice(0, 2 * maxLength + 1)].length <= maxLength);
