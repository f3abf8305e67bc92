import { LRUCache } from "lru-cache";

// The language that a person gets: BCP 47 tags are found by the lookup of RFC 4647, section 3.4.

const canonical = new LRUCache<string, string>({ max: 10_000 });
/** No tag is longer. A person's attribute `language` can be any text, and a long one must not fill the cache. */
const MOST_CHARACTERS = 100;

/**
 * Returns a tag in the form in which tags are compared: `PT-br` and `pt_BR` are equal, and so are a language's old and new
 * code (iw and he). A text that is no tag is returned in lower case, and matches nothing.
 */
function comparable(text: string): string {
  const cached = canonical.get(text);
  if (cached !== undefined) return cached;
  const form = (canonicalTag(text.replaceAll("_", "-")) ?? text).toLowerCase();
  canonical.set(text, form);
  return form;
}

function canonicalTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/** Returns the errors in an author's tags, by tag. `default` is a valid tag of BCP 47, but here it means the content beside the locales. */
export function wrongTags(tags: readonly string[]): Map<string, string> {
  const seen = new Map<string, string>();
  const wrong = new Map<string, string>();
  for (const tag of tags) {
    if (tag.length > MOST_CHARACTERS || canonicalTag(tag) === undefined || tag.toLowerCase() === "default") {
      wrong.set(tag, "is no language tag such as de or pt-BR");
      continue;
    }
    const twin = seen.get(comparable(tag));
    if (twin !== undefined) wrong.set(tag, `is the same language as ${twin}`);
    seen.set(comparable(tag), tag);
  }
  return wrong;
}

/** Returns a function that finds the tag for a person's locale: pt-BR finds pt-BR, else pt; pt never finds pt-BR. */
export function lookupAmong(tags: readonly string[]): (wanted: string | null) => string | null {
  const byForm = new Map(tags.map((tag) => [comparable(tag), tag]));
  return (wanted) => {
    if (wanted === null || wanted.length > MOST_CHARACTERS || byForm.size === 0) return null;
    for (let range = comparable(wanted); range !== ""; range = shortened(range)) {
      const found = byForm.get(range);
      if (found !== undefined) return found;
    }
    return null;
  };
}

/** Removes the last subtag, and then a single letter at the end, which only introduces the subtag after it. */
function shortened(range: string): string {
  const parts = range.split("-").slice(0, -1);
  while ((parts.at(-1)?.length ?? 2) === 1) parts.pop();
  return parts.join("-");
}

/** A person's language: the attribute `locale`, else a text in `language`. */
export function localeOf(person: { locale: string | null; attributes: Record<string, unknown> }): string | null {
  const { locale, attributes } = person;
  return locale ?? (typeof attributes.language === "string" ? attributes.language : null);
}
