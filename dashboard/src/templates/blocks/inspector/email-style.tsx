import type { Acts } from "../acts.ts";
import type { Email } from "../list/block.ts";
import { type GlobalOf, globalOf, withGlobal } from "../list/globals.ts";
import { MJML_DEFAULTS } from "../list/looks.ts";
import { AttributeField } from "./attribute-field.tsx";
import type { Field } from "./fields.ts";

/** The defaults that blocks without a value of their own have, and the element in which each is written. */
const FIELDS: readonly { of: GlobalOf; like?: string; field: Field }[] = [
  { of: "mj-body", field: { attribute: "width", label: "emailWidth", is: "size" } },
  { of: "mj-body", field: { attribute: "background-color", label: "canvas", is: "color" } },
  {
    of: "mj-all",
    like: "mj-text",
    field: { attribute: "font-family", label: "fontFamily", hint: "fontFamilyHint", is: "text" },
  },
  { of: "mj-text", field: { attribute: "color", label: "color", is: "color" } },
  { of: "mj-text", field: { attribute: "font-size", label: "fontSize", is: "size" } },
  { of: "mj-button", field: { attribute: "background-color", label: "buttonColor", is: "color" } },
];

interface EmailStyleProps {
  email: Email;
  acts: Acts;
  readOnly: boolean;
}

/** The style of the email as a whole. */
export function EmailStyle({ email, acts, readOnly }: EmailStyleProps) {
  return FIELDS.map(({ of, like = of, field }) => (
    <AttributeField
      key={`${of} ${field.attribute}`}
      field={field}
      own={globalOf(email, of, field.attribute)}
      otherwise={MJML_DEFAULTS[like]?.[field.attribute]}
      readOnly={readOnly}
      onChange={(value) => acts.change(withGlobal(email, of, field.attribute, value), `${of} ${field.attribute}`)}
    />
  ));
}
