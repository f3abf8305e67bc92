/** Languages that are offered by name; any other tag can be typed. */
const OFFERED =
  "ar bg bn ca cs da de de-AT de-CH el en en-GB en-US es es-MX et fa fi fil fr fr-CA he hi hr hu id it ja ko lt lv ms nb nl pl pt pt-BR ro ru sk sl sr sv sw ta th tr uk ur vi zh-Hans zh-Hant".split(
    " ",
  );

/** Returns a function that says a language in the reader's own, such as "German". */
export function namesIn(locale: string): (tag: string) => string {
  const names = new Intl.DisplayNames(locale, { type: "language", languageDisplay: "standard" });
  return (tag) => {
    try {
      return names.of(tag) ?? tag;
    } catch {
      return tag;
    }
  };
}

/** Returns the languages to offer, by name. */
export const offeredIn = (locale: string): { tag: string; name: string }[] => {
  const nameOf = namesIn(locale);
  return OFFERED.map((tag) => ({ tag, name: nameOf(tag) })).toSorted((a, b) => a.name.localeCompare(b.name, locale));
};
