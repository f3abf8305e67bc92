import type { Channel } from "@tidings/contract/facts/activity";
import type { EditionsInput } from "@tidings/contract/messages/sendings";
import type { LiquidScope } from "../content/liquid/scope.ts";
import { useEffect, useState } from "react";
import { EditionField } from "./edition-field.tsx";
import { editionAt, localesAt, type EditionRef, pointerOf, withEdition } from "./editions.ts";
import { Locales } from "./locales.tsx";
import css from "./sendings.module.css";
import { Variants } from "./variants.tsx";

interface EditionsFieldsProps {
  channel: Channel;
  value: EditionsInput;
  onChange: (value: EditionsInput) => void;
  /** What the service refused at a pointer into the value, or below it. Without the first slash, such as `variants/0/content/subject`. */
  errorOf: (pointer: string) => string | undefined;
  /** What the contents can name besides the person. */
  scope?: LiquidScope;
  /** What the form calls the value, for the names of its fields: the first that is refused gets the focus. */
  name?: string;
  /** Whether the member may only look. */
  off?: boolean;
}

const NOTHING: LiquidScope = {};

/**
 * The content of a sending: an in-app message or the fields of a content, in several languages, and in variants that are compared. A refusal
 * opens the edition that it names.
 */
export function EditionsFields({
  channel,
  value,
  onChange,
  errorOf,
  scope = NOTHING,
  name = "",
  off = false,
}: EditionsFieldsProps) {
  const [wanted, open] = useState<EditionRef>({});
  const place = nearest(value, wanted);
  const faulty = placesOf(value)
    .filter((one) => errorOf(join(pointerOf(one), "content")) ?? errorOf(join(pointerOf(one), "message_id")))
    .map(pointerOf);
  const refused = faulty.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another refusal is a reason
  useEffect(() => {
    const first = placesOf(value).find((one) => faulty.includes(pointerOf(one)));
    if (first && !faulty.includes(pointerOf(place))) open(first);
  }, [refused]);
  const shared = { value, onChange, errorOf, off };
  const at = pointerOf(place);
  return (
    <div className={css.editions}>
      <Variants {...shared} open={place.variant ?? 0} onOpen={(variant) => open({ ...place, variant })} />
      <Locales {...shared} open={place} onOpen={(locale) => open({ ...place, locale })} />
      <EditionField
        key={at}
        channel={channel}
        value={editionAt(value, place)}
        onChange={(edition) => onChange(withEdition(value, place, edition))}
        errorOf={(pointer) => errorOf(join(at, pointer))}
        scope={scope}
        at={[name, at]
          .filter(Boolean)
          .map((part) => `${part}/`)
          .join("")}
        off={off}
      />
    </div>
  );
}

const join = (...parts: string[]): string => parts.filter(Boolean).join("/");

/** Returns the place itself, or what is left of it after a variant or a language was removed. */
function nearest(value: EditionsInput, { variant = 0, locale }: EditionRef): EditionRef {
  const count = value.variants?.length ?? 0;
  const at = count === 0 ? undefined : Math.min(variant, count - 1);
  return { variant: at, locale: localesAt(value, at).find((tag) => tag === locale) };
}

/** All editions, the default of each variant before its languages. */
function placesOf(value: EditionsInput): EditionRef[] {
  const groups = value.variants ? value.variants.map((_, variant) => variant) : [undefined];
  return groups.flatMap((variant) => [
    { variant },
    ...localesAt(value, variant).map((locale) => ({ variant, locale })),
  ]);
}
