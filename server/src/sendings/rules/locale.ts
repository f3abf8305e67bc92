import { LRUCache } from "lru-cache";

// Which language a person gets: BCP 47 tags by the lookup of RFC 4647, section 3.4.

const canonical = new LRUCache<string, string>({ max: 10_000 });
/** No tag is longer. What a person has in `language` can be anything, and must not be kept. */
const MOST_CHARACTERS = 100;

/**
 * A tag in the one form in which tags are compared: `PT-br` and `pt_BR` are the same, and so are a language's old and new code
 * (iw and he). What is no tag stays as it is, in lower case, and matches nothing.
 */
function compared(text: string): string {
  const known = canonical.get(text);
  if (known !== undefined) return known;
  const made = (canonicalTag(text.replaceAll("_", "-")) ?? text).toLowerCase();
  canonical.set(text, made);
  return made;
}

function canonicalTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/** What is wrong with the tags of an author, by tag. The word `default` would be one, and stands for the content beside them. */
export function wrongTags(tags: readonly string[]): Map<string, string> {
  const seen = new Map<string, string>();
  const wrong = new Map<string, string>();
  for (const tag of tags) {
    if (tag.length > MOST_CHARACTERS || canonicalTag(tag) === undefined || tag.toLowerCase() === "default") {
      wrong.set(tag, "is no language tag such as de or pt-BR");
      continue;
    }
    const twin = seen.get(compared(tag));
    if (twin !== undefined) wrong.set(tag, `is the same language as ${twin}`);
    seen.set(compared(tag), tag);
  }
  return wrong;
}

/** Gives, for a person's locale, the tag among these that it looks up: pt-BR finds pt-BR, else pt; pt never finds pt-BR. */
export function lookupAmong(tags: readonly string[]): (wanted: string | null) => string | null {
  const known = new Map(tags.map((tag) => [compared(tag), tag]));
  return (wanted) => {
    if (wanted === null || wanted.length > MOST_CHARACTERS || known.size === 0) return null;
    for (let range = compared(wanted); range !== ""; range = shortened(range)) {
      const found = known.get(range);
      if (found !== undefined) return found;
    }
    return null;
  };
}

/** Without its last subtag, and without a single letter before it, which only introduces what follows. */
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
