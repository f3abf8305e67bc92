import type { Say } from "../../platform/language/texts.ts";
import type { Known, KnownName } from "./known.ts";
import { type Block, type Scan, scan } from "./scan.ts";
import type { texts } from "./texts.ts";
import { FILTERS, KEYWORDS, PERSON_WORDS, TAGS } from "./words.ts";

/** A name that can stand at a place. */
export interface Suggestion {
  name: string;
  /** What is known of it, in few words. */
  detail?: string | undefined;
  /** Whether something follows it after a point. */
  open?: boolean;
}
/** What can be written in place of the text from `from` to the cursor. */
export interface Suggestions {
  from: number;
  of: Suggestion[];
}

const SNIPPET = /\{%\s*snippet\s+["']([\w-]*)$/;

/** Returns the snippets whose name can stand where the cursor is, or undefined elsewhere. */
export function snippetsAt(text: string, cursor: number, names: readonly string[]): Suggestions | undefined {
  const begun = SNIPPET.exec(text.slice(Math.max(0, cursor - 100), cursor))?.[1];
  return begun === undefined ? undefined : { from: cursor - begun.length, of: names.map((name) => ({ name })) };
}

type Speak = Say<typeof texts>;

/** Returns the names that can stand where the cursor is, or undefined outside of Liquid. */
export function suggestionsAt(text: string, cursor: number, known: Known, t: Speak): Suggestions | undefined {
  const scanned = scan(text);
  const block = scanned.blocks.find(({ from, to }) => cursor >= from + 2 && cursor <= to);
  if (!block) return undefined;
  const before = text.slice(block.from + 2, cursor);
  // Behind the closing edge, or within a text in quotes.
  if (/[}%]\}$/.test(before) || (before.split(/["']/).length - 1) % 2 === 1) return undefined;
  const path = /[A-Za-z_][\w.-]*$/.exec(before)?.[0] ?? "";
  const ahead = before.slice(0, before.length - path.length);
  const from = cursor - (path.length - path.lastIndexOf(".") - 1);
  if (/\|\s*$/.test(ahead)) return { from, of: FILTERS.map((name) => ({ name, detail: t("filter") })) };
  if (block.kind === "tag" && /^-?\s*$/.test(ahead)) return { from, of: TAGS.map((name) => ({ name })) };
  if (/[.\]]$/.test(ahead)) return undefined;
  const names = path.split(".");
  const of = names.length > 1 ? below(names.slice(0, -1), known, t) : roots(known, scanned, block.kind, t);
  return of && { from, of };
}

function roots(known: Known, { variables }: Scan, kind: Block["kind"], t: Speak): Suggestion[] {
  const data = [
    "person" as const,
    ...(known.trigger ? ["trigger" as const] : []),
    ...(known.steps.length > 0 ? ["steps" as const] : []),
    ...(known.batch ? ["batch" as const] : []),
  ];
  return [
    ...data.map((name) => ({ name, detail: t(`root_${name}`), open: true })),
    ...[...variables].map((name) => ({ name, detail: t("root_variable") })),
    ...(["unsubscribe_url", "preferences_url"] as const).map((name) => ({ name, detail: t(`root_${name}`) })),
    ...(kind === "tag" ? [...KEYWORDS].map((name) => ({ name })) : []),
  ];
}

function below([root, id, kind]: string[], known: Known, t: Speak): Suggestion[] | undefined {
  const shown = ({ name, types = [], people }: KnownName): Suggestion => ({
    name,
    detail: [
      types.map((type) => t(`type_${type}` as keyof typeof texts)).join(", "),
      people === undefined ? "" : t("people", { count: people }),
    ]
      .filter(Boolean)
      .join(" · "),
  });
  if (root === "person" && id === undefined) {
    const { names } = known.person;
    const always = PERSON_WORDS.filter((name) => !names.some((one) => one.name === name));
    return [...names.map(shown), ...always.map((name) => ({ name }))];
  }
  if (root === "trigger" && id === undefined) return known.trigger?.names.map(shown);
  if (root === "batch" && id === undefined && known.batch) return [{ name: "count" }, { name: "items" }];
  if (root !== "steps") return undefined;
  if (id === undefined) return known.steps.map((step) => ({ name: step.id, open: true }));
  const step = known.steps.find((one) => one.id === id);
  if (kind === undefined) return step?.fields.map((name) => ({ name, open: true }));
  return kind === "event" ? step?.event?.names.map(shown) : undefined;
}
