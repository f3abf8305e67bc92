import { type AuthoredSearch, authoredSearchOf } from "../platform/list/authored-search.ts";

/** `new` is the open dialog that makes one. */
export interface TemplatesSearch extends AuthoredSearch {
  new?: "yes";
}
/** What the address of a template says: its versions, and two of them to compare. */
export interface TemplateSearch {
  view?: "versions";
  before?: number;
  after?: number;
}
const versionOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;

export function templateSearchOf(given: Record<string, unknown>): TemplateSearch {
  const [before, after] = [versionOf(given.before), versionOf(given.after)];
  return {
    ...(given.view === "versions" && { view: "versions" }),
    ...(before && { before }),
    ...(after && { after }),
  };
}

const listSearchOf = authoredSearchOf({});

/** Reads the address of the list of templates, layouts or snippets. */
export const templatesSearchOf = (given: Record<string, unknown>): TemplatesSearch => ({
  ...listSearchOf(given),
  ...(given.new === "yes" && { new: "yes" }),
});
