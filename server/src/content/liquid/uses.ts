import type { Filter } from "liquidjs";

/** The kind of value that the content needs: a list to repeat over, a number to calculate with, a text to change. */
export type Use = "list" | "number" | "text";

const KINDS: Record<Use, ReadonlySet<string>> = {
  number: new Set("abs at_least at_most ceil divided_by floor minus plus modulo times round".split(" ")),
  list: new Set(
    `join reverse sort sort_natural map sum compact concat where reject group_by has find find_index uniq
    array_to_sentence_string`.split(/\s+/),
  ),
  text: new Set(
    `append prepend strip lstrip rstrip downcase upcase capitalize remove remove_first remove_last replace replace_first
    replace_last split strip_newlines squish normalize_whitespace truncate truncatewords number_of_words url_encode url_decode
    cgi_escape uri_escape slugify strip_html newline_to_br base64_encode base64_decode sha256 hmac_sha256`.split(/\s+/),
  ),
};
/** Filters whose arguments are of the same kind as their input. */
const SAME_KIND = new Set("at_least at_most divided_by minus plus modulo times concat append prepend".split(" "));

const useOf = (name: string): Use | undefined =>
  (["number", "list", "text"] as const).find((use) => KINDS[use].has(name));

/** The use of a value by its first filter. `default` does not count: it only replaces a missing value. */
export function useBy(filters: Filter[]): Use | undefined {
  const first = filters.find(({ name }) => name !== "default");
  return first && useOf(first.name);
}

/** The use of a filter's arguments. */
export const useOfArguments = ({ name }: Filter): Use | undefined => (SAME_KIND.has(name) ? useOf(name) : undefined);

/** Whether a value fits a use. Liquid reads numbers in texts, and shows numbers as text. */
export function fits(value: unknown, use: Use): boolean {
  if (use === "list") return Array.isArray(value);
  if (typeof value === "object") return use === "text" && Array.isArray(value);
  return use === "text" || typeof value !== "string" || Number.isFinite(Number(value));
}
