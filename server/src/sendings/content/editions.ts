import type { Person } from "../../people/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { localeOf, lookupAmong } from "../rules/locale.ts";
import { placeOf } from "../rules/split.ts";
import type { Locales, Said, Saying, Sending } from "../sending.ts";

// Everything that a sending may say, in one list: the default or each variant, and each of these in every language that it has.

export interface Edition {
  /** JSON pointer of where it stands in the sending; empty for the default. */
  at: string;
  variant: string | null;
  /** The tag under which it stands; null for the default. */
  locale: string | null;
  said: Said;
}

/** All editions, the default of each variant before its languages. */
export function editionsOf({ locales, variants, ...said }: Saying): Edition[] {
  if (variants === null) return [{ at: "", variant: null, locale: null, said }, ...inLocales("", null, locales ?? {})];
  return variants.flatMap(({ name, weight: _weight, locales: own, ...said }, i) => [
    { at: `/variants/${i}`, variant: name, locale: null, said },
    ...inLocales(`/variants/${i}`, name, own ?? {}),
  ]);
}

const inLocales = (at: string, variant: string | null, locales: Locales): Edition[] =>
  Object.entries(locales).map(([locale, said]) => ({ at: `${at}/locales/${escaped(locale)}`, variant, locale, said }));

/** As a part of a JSON pointer. */
export const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** The same editions saying other things, which are in the order of editionsOf. */
export function withSaid({ locales, variants }: Saying, said: Said[]): Saying {
  const left = said.values();
  const next = (): Said => left.next().value ?? {};
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

/** As whom a preview is shown. What is undefined is the person's own. */
export interface As {
  variant?: string | undefined;
  /** Null: as somebody without a language. */
  locale?: string | null | undefined;
}

export interface Choice {
  edition: Edition;
  heldOut: boolean;
}

const planOf = ({ holdoutPercent, saying }: Sending) => ({ holdoutPercent, variants: saying.variants ?? [] });

/** Returns what each person gets. Made once for many people. */
export function chooser(sending: Sending) {
  const plan = planOf(sending);
  const byVariant = Map.groupBy(editionsOf(sending.saying), ({ variant }) => variant);
  const lookups = new Map(
    [...byVariant].map(([variant, list]) => {
      const byTag = new Map(list.map((edition) => [edition.locale, edition]));
      const tagOf = lookupAmong(list.flatMap(({ locale }) => locale ?? []));
      return [variant, (wanted: string | null) => byTag.get(tagOf(wanted)) as Edition];
    }),
  );
  return (person: Pick<Person, "person_key" | "locale" | "attributes">, as: As = {}): Choice => {
    const { heldOut, variant } = placeOf(plan, sending.splitBy, person.person_key);
    const lookup = lookups.get(as.variant ?? variant) as (wanted: string | null) => Edition;
    return { edition: lookup(as.locale === undefined ? localeOf(person) : as.locale), heldOut };
  };
}

/** Whether the holdout leaves a person out. Nothing but their key is needed. */
export const isHeldOut = (sending: Sending, personKey: string): boolean =>
  placeOf({ holdoutPercent: sending.holdoutPercent, variants: [] }, sending.splitBy, personKey).heldOut;

/** The in-app message of an edition; undefined in the other channels. */
export const messageIdOf = ({ said }: Edition): string | undefined =>
  said.message_id === undefined ? undefined : decodeId("msg", said.message_id);

/** All in-app messages of a sending. */
export const messagesOf = (saying: Saying): Set<string> =>
  new Set(editionsOf(saying).flatMap((edition) => messageIdOf(edition) ?? []));
