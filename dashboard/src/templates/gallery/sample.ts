import type { Start } from "./templates.ts";

const PERSON: Record<string, unknown> = { first_name: "Ada", email: "ada@example.com" };

/**
 * A template of the gallery with its example in place of its Liquid, for a small picture of it. It knows what those templates have, and no
 * more: emails are rendered by the service.
 */
export function filled(text: string, { data }: Start): string {
  const repeated = text.replaceAll(
    /\{% for (\w+) in trigger\.(\w+) %\}([\s\S]*?)\{% endfor %\}/g,
    (_, name: string, list: string, inside: string) =>
      ((data[list] ?? []) as Record<string, unknown>[]).map((item) => valuesIn(inside, { [name]: item })).join(""),
  );
  return valuesIn(repeated, { trigger: data, person: PERSON }).replaceAll(/\{%[^%]*%\}/g, "");
}

/** Outputs with the values of what is known; others stay. */
const valuesIn = (text: string, known: Record<string, Record<string, unknown>>): string =>
  text.replaceAll(
    /\{\{ (\w+)\.(\w+)(?: \| default: (?:"([^"]*)"|'([^']*)'|(\d+)))? \}\}/g,
    (whole, root: string, name: string, ...defaults: (string | undefined)[]) => {
      const of = known[root];
      return of ? String(of[name] ?? defaults.slice(0, 3).find((one) => one !== undefined) ?? "") : whole;
    },
  );
