import type { Channel } from "@tidings/contract/facts/activity";
import type { EditionsInput } from "@tidings/contract/messages/sendings";
import { emptyContent } from "../content/channels/content.ts";

// The editions of a sending: one content, or variants, each also in other languages.

type Variants = NonNullable<EditionsInput["variants"]>;
export type Variant = Variants[number];
/** What some of the people get: an in-app message, or a content. */
export type Edition = Pick<EditionsInput, "message_id" | "content">;
type Locales = Record<string, Edition>;
/** The one content or a variant: with its languages. */
type Group = Edition & { locales?: Locales | null };

export const MOST_VARIANTS = 10;
export const MOST_LOCALES = 50;

/** Where an edition is: the number of its variant, and its language. Undefined: without variants; the default. */
export interface EditionRef {
  variant?: number | undefined;
  locale?: string | undefined;
}

/** The pointer of the service to an edition, without the first slash. Empty for the default without variants. */
export const pointerOf = ({ variant, locale }: EditionRef): string =>
  [variant !== undefined && `variants/${variant}`, locale !== undefined && `locales/${locale}`]
    .filter(Boolean)
    .join("/");

/** What a new sending begins with. */
export const firstEdition = (channel: Channel): Edition =>
  channel === "in_app" ? {} : { content: emptyContent(channel) };

const groupAt = (value: EditionsInput, variant: number | undefined): Group =>
  (variant === undefined ? value : value.variants?.[variant]) ?? {};

export const localesAt = (value: EditionsInput, variant: number | undefined): string[] =>
  Object.keys(groupAt(value, variant).locales ?? {});

export function editionAt(value: EditionsInput, { variant, locale }: EditionRef): Edition {
  const group = groupAt(value, variant);
  const { message_id, content } = locale === undefined ? group : (group.locales?.[locale] ?? {});
  return { ...(message_id !== undefined && { message_id }), ...(content !== undefined && { content }) };
}

/** Returns the editions with another one at a place. */
export function withEdition(value: EditionsInput, { variant, locale }: EditionRef, edition: Edition): EditionsInput {
  const { message_id: _, content: __, ...rest } = groupAt(value, variant);
  return locale === undefined
    ? withGroup(value, variant, { ...rest, ...edition })
    : withLocales(value, variant, (before) => ({ ...before, [locale]: edition }));
}

const withGroup = (value: EditionsInput, variant: number | undefined, group: Group): EditionsInput =>
  variant === undefined
    ? group
    : { variants: (value.variants ?? []).map((one, i) => (i === variant ? { ...group, ...nameOf(one) } : one)) };

const nameOf = ({ name, weight }: Variant) => ({ name, weight });

function withLocales(value: EditionsInput, variant: number | undefined, change: (before: Locales) => Locales) {
  const group = groupAt(value, variant);
  return withGroup(value, variant, { ...group, locales: change(group.locales ?? {}) });
}

/** Returns the editions with a language more, which begins as what everybody gets. */
export const withLocale = (value: EditionsInput, variant: number | undefined, tag: string): EditionsInput =>
  withEdition(value, { variant, locale: tag }, editionAt(value, { variant }));

export function withoutLocale(value: EditionsInput, variant: number | undefined, tag: string): EditionsInput {
  const { locales, ...group } = groupAt(value, variant);
  const { [tag]: _, ...others } = locales ?? {};
  return withGroup(value, variant, { ...group, locales: Object.keys(others).length > 0 ? others : null });
}

/** Returns the editions with a variant more, which begins as a copy of the last. The first becomes two. */
export function withVariant(value: EditionsInput): EditionsInput {
  const { variants, ...own } = value;
  const before: Variants = variants ?? [{ ...own, name: "A", weight: 1 }];
  const last = before.at(-1) as Variant;
  return { variants: [...before, { ...last, name: freeName(before) }] };
}

/** Returns the editions without a variant. The last one that is left is what everybody gets. */
export function withoutVariant({ variants }: EditionsInput, gone: number): EditionsInput {
  const [left, ...others] = (variants ?? []).filter((_, i) => i !== gone);
  if (!left) return {};
  if (others.length > 0) return { variants: [left, ...others] };
  const { name: _, weight: __, ...own } = left;
  return own;
}

/** Returns the editions with another name or weight of a variant. */
export const renamed = ({ variants }: EditionsInput, at: number, to: Partial<Variant>): EditionsInput => ({
  variants: (variants ?? []).map((one, i) => (i === at ? { ...one, ...to } : one)),
});

/** The first letter that no variant has. */
function freeName(variants: Variants): string {
  const taken = new Set(variants.map(({ name }) => name));
  for (let code = 65; ; code++) {
    const name = String.fromCharCode(code);
    if (!taken.has(name)) return name;
  }
}

/** Returns the part of 1 that each variant gets. */
export function sharesOf(variants: readonly Pick<Variant, "weight">[]): number[] {
  const all = variants.reduce((sum, { weight }) => sum + weight, 0);
  return variants.map(({ weight }) => (all > 0 ? weight / all : 0));
}

/** Returns a language tag in its usual form, such as pt-BR for pt_br; undefined where it is none. */
export function tagOf(text: string): string | undefined {
  const typed = text.trim().replaceAll("_", "-");
  if (typed === "" || typed.toLowerCase() === "default") return undefined;
  try {
    return Intl.getCanonicalLocales(typed)[0];
  } catch {
    return undefined;
  }
}
