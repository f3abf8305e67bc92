import type { Person } from "../../people/index.ts";
import { pointerPart } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { localeOf, lookupAmong } from "../rules/locale.ts";
import { assignmentOf } from "../rules/split.ts";
import type { EditionContent, Editions, Locales, Sending } from "../sending.ts";

// The editions of a sending as one list: the default or each variant, and each of these in every language that it has.

export interface Edition extends EditionContent {
  /** JSON pointer to the edition in the sending; empty for the default. */
  at: string;
  variant: string | null;
  /** Its language tag; null for the default. */
  locale: string | null;
}

/** Returns all editions, the default of each variant before its languages. */
export function listEditions({ locales, variants, ...content }: Editions): Edition[] {
  if (variants === null)
    return [{ at: "", variant: null, locale: null, ...content }, ...inLocales("", null, locales ?? {})];
  return variants.flatMap(({ name, weight: _weight, locales: own, ...content }, i) => [
    { at: `/variants/${i}`, variant: name, locale: null, ...content },
    ...inLocales(`/variants/${i}`, name, own ?? {}),
  ]);
}

const inLocales = (at: string, variant: string | null, locales: Locales): Edition[] =>
  Object.entries(locales).map(([locale, content]) => ({
    at: `${at}/locales/${pointerPart(locale)}`,
    variant,
    locale,
    ...content,
  }));

/** Returns the same editions with other contents, which are in the order of `listEditions`. */
export function withContents({ locales, variants }: Editions, contents: EditionContent[]): Editions {
  const remaining = contents.values();
  const next = (): EditionContent => remaining.next().value ?? {};
  const nextOf = (tags: Locales): Locales => Object.fromEntries(Object.keys(tags).map((tag) => [tag, next()]));
  if (variants === null) return { ...next(), locales: locales && nextOf(locales), variants };
  return {
    locales,
    variants: variants.map(({ name, weight, locales: own }) => ({
      name,
      weight,
      ...next(),
      ...(own && { locales: nextOf(own) }),
    })),
  };
}

/** The variant and language that a preview shows. An undefined field means the person's own. */
export interface EditionOverrides {
  variant?: string | undefined;
  /** Null: as for somebody without a language. */
  locale?: string | null | undefined;
}

export interface Choice {
  edition: Edition;
  heldOut: boolean;
}

const splitOf = ({ holdoutPercent, editions }: Sending) => ({ holdoutPercent, variants: editions.variants ?? [] });

/** Returns the function that chooses each person's edition. Make it once for many people. */
export function chooser(sending: Sending) {
  const split = splitOf(sending);
  const byVariant = Map.groupBy(listEditions(sending.editions), ({ variant }) => variant);
  const lookups = new Map(
    [...byVariant].map(([variant, list]) => {
      const byTag = new Map(list.map((edition) => [edition.locale, edition]));
      const tagOf = lookupAmong(list.flatMap(({ locale }) => locale ?? []));
      return [variant, (wanted: string | null) => byTag.get(tagOf(wanted)) as Edition];
    }),
  );
  return (person: Pick<Person, "person_key" | "locale" | "attributes">, overrides: EditionOverrides = {}): Choice => {
    const { heldOut, variant } = assignmentOf(split, sending.splitBy, person.person_key);
    const lookup = lookups.get(overrides.variant ?? variant) as (wanted: string | null) => Edition;
    return { edition: lookup(overrides.locale === undefined ? localeOf(person) : overrides.locale), heldOut };
  };
}

/** Whether the holdout leaves a person out. This needs nothing but their key. */
export const isHeldOut = (sending: Sending, personKey: string): boolean =>
  assignmentOf({ holdoutPercent: sending.holdoutPercent, variants: [] }, sending.splitBy, personKey).heldOut;

/** The id of an edition's in-app message; undefined in the other channels. */
export const messageIdOf = ({ message_id }: EditionContent): string | undefined =>
  message_id === undefined ? undefined : decodeId("msg", message_id);

/** The ids of all in-app messages of a sending. */
export const messageIdsOf = (editions: Editions): Set<string> =>
  new Set(listEditions(editions).flatMap((edition) => messageIdOf(edition) ?? []));
