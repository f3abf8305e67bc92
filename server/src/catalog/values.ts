import type { CatalogField } from "@tidings/contract/facts/catalog";

/** A value is shown if at least so many people of the sample have it: then it names nobody. */
export const LEAST_PEOPLE = 5;
export const MOST_VALUES = 20;
export const MOST_VALUE_CHARACTERS = 60;

/**
 * Fields whose values are about one person, by what people call them. Several people may share a first name or a street, so the number
 * of people does not protect these.
 */
const PERSONAL =
  /(^|_)(e?_?mail|phone|mobile|street|address|birth\w*|password|secret|token|iban|passport)(_|$)|^name$|(^|_)((first|last|middle|full|given|family|maiden|nick|user|display|legal)_?name|surname|tel|fax|postcode|zip|postal_code|dob|bic|ssn|tax_id|vat_id|ip|lat|latitude|lng|lon|longitude|notes?|comments?)$/;

/** Whether a field's texts and numbers are never shown, because of its name. `firstName` is read like `first_name`. */
export const isPersonal = (field: string): boolean =>
  PERSONAL.test(field.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase());

/** An address, a number of many digits, an id, or a sentence. */
const NAMING = /@|\d[\d .()/-]{5,}\d|[0-9a-f]{8}-[0-9a-f]{4}-|(\S+\s+){4}\S/i;

/** A field as the newest events or people have it. */
export interface FieldSample {
  name: string;
  people: number;
  /** The most common first. */
  values: CatalogField["values"];
}

/**
 * Returns the values of a field that the catalog shows: none where a value could name a person, and none where most people have a value
 * that few others have, as in a field of names or free text.
 */
export function shownValues({ name, people, values }: FieldSample): CatalogField["values"] {
  const personal = isPersonal(name);
  const shown = values.filter(
    ({ value, people: having }) =>
      having >= LEAST_PEOPLE && (typeof value === "boolean" || (!personal && !NAMING.test(String(value)))),
  );
  const having = shown.reduce((sum, one) => sum + one.people, 0);
  return having * 2 >= people ? shown.slice(0, MOST_VALUES) : [];
}
