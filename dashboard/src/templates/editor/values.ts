import type { Template } from "../template.ts";

/** The fields of a template as its form has them: empty is none. */
export const valuesOf = ({ name, subject, preheader, body, plaintext, layout_id, from, reply_to }: Template) => ({
  name,
  subject,
  preheader: preheader ?? "",
  from: from ?? "",
  reply_to: reply_to ?? "",
  layout_id: layout_id ?? "",
  body,
  plaintext: plaintext ?? "",
});
export type TemplateValues = ReturnType<typeof valuesOf>;

const ALWAYS: readonly string[] = ["name", "subject", "body"];

/** The fields as the service takes them: only those of `names`. */
export const bodyOf = (values: TemplateValues, names: readonly string[] = Object.keys(values)) =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => names.includes(name))
      .map(([name, value]) => [name, value === "" && !ALWAYS.includes(name) ? null : value]),
  );
