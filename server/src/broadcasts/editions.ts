import type { Person } from "../people/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { localeOf, lookupAmong } from "./rules/locale.ts";
import { placeOf } from "./rules/split.ts";
import type { BroadcastRow, Locales, Said } from "./store.ts";

// Everything that a broadcast may say, in one list: the default or each variant, and each of these in every language that it has.

export interface Edition {
  /** JSON pointer of where it stands in the broadcast; empty for the default. */
  at: string;
  variant: string | null;
  /** The tag under which it stands; null for the default. */
  locale: string | null;
  said: Said;
}

type Sayings = Pick<BroadcastRow, "message_id" | "message_version" | "content" | "locales" | "variants">;

/** All editions, the default of each variant before its languages. */
export function editionsOf({ message_id, message_version, content, locales, variants }: Sayings): Edition[] {
  if (variants !== null)
    return variants.flatMap(({ name, weight: _weight, locales: own, ...said }, i) => [
      { at: `/variants/${i}`, variant: name, locale: null, said },
      ...inLocales(`/variants/${i}`, name, own ?? {}),
    ]);
  const said: Said = {
    ...(message_id !== null && { message_id: encodeId("msg", message_id) }),
    ...(message_version !== null && { message_version }),
    ...(content !== null && { content }),
  };
  return [{ at: "", variant: null, locale: null, said }, ...inLocales("", null, locales ?? {})];
}

const inLocales = (at: string, variant: string | null, locales: Locales): Edition[] =>
  Object.entries(locales).map(([locale, said]) => ({ at: `${at}/locales/${escaped(locale)}`, variant, locale, said }));

/** As a part of a JSON pointer. */
export const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** The row with other things said in its editions, which are in the order of editionsOf. */
export function withSaid<R extends Sayings>(row: R, said: Said[]): R {
  const left = said.values();
  const next = (): Said => left.next().value ?? {};
  const nextOf = (locales: Locales): Locales => Object.fromEntries(Object.keys(locales).map((tag) => [tag, next()]));
  if (row.variants !== null) {
    const variants = row.variants.map(({ name, weight, locales }) => ({
      name,
      weight,
      ...next(),
      ...(locales && { locales: nextOf(locales) }),
    }));
    return { ...row, variants };
  }
  const { message_version = null, content = null } = next();
  return { ...row, message_version, content, locales: row.locales && nextOf(row.locales) };
}

/** Somebody else than the person: what a preview asks for. Undefined: the person's own. */
export interface As {
  variant?: string | undefined;
  /** Null: as somebody without a language. */
  locale?: string | null | undefined;
}

export interface Choice {
  edition: Edition;
  heldOut: boolean;
}

/** Gives what each person gets. Made once for many people. */
export function chooser(row: Sayings & Pick<BroadcastRow, "id" | "holdout_percent">) {
  const plan = { holdoutPercent: row.holdout_percent, variants: row.variants ?? [] };
  const byVariant = new Map<string | null, Edition[]>();
  for (const edition of editionsOf(row))
    byVariant.set(edition.variant, [...(byVariant.get(edition.variant) ?? []), edition]);
  const lookups = new Map(
    [...byVariant].map(([variant, list]) => {
      const byTag = new Map(list.map((edition) => [edition.locale, edition]));
      const tagOf = lookupAmong(list.flatMap(({ locale }) => locale ?? []));
      return [variant, (wanted: string | null) => byTag.get(tagOf(wanted)) as Edition];
    }),
  );
  return (person: Pick<Person, "person_key" | "locale" | "attributes">, as: As = {}): Choice => {
    const { heldOut, variant } = placeOf(plan, row.id, person.person_key);
    const lookup = lookups.get(as.variant ?? variant) as (wanted: string | null) => Edition;
    return { edition: lookup(as.locale === undefined ? localeOf(person) : as.locale), heldOut };
  };
}

/** The in-app message of an edition; undefined in the other channels. */
export const messageIdOf = ({ said }: Edition): string | undefined =>
  said.message_id === undefined ? undefined : decodeId("msg", said.message_id);
