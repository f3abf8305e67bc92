import { type AuthoredSearch, authoredSearchOf } from "../platform/list/authored-search.ts";

/** `new` is the open dialog that makes one. */
export interface TemplatesSearch extends AuthoredSearch {
  new?: "yes";
}
const listSearchOf = authoredSearchOf({});

/** Reads the address of the list of templates, layouts or snippets. */
export const templatesSearchOf = (given: Record<string, unknown>): TemplatesSearch => ({
  ...listSearchOf(given),
  ...(given.new === "yes" && { new: "yes" }),
});
