import type { Known, Names } from "./known.ts";
import { nearestOf } from "./nearest.ts";
import type { Scan, Word } from "./scan.ts";
import { COMPUTED, FILTERS, PERSON_WORDS, ROOT_WORDS, TAGS } from "./words.ts";

export type WarningCode =
  | "person"
  | "trigger"
  | "no_trigger"
  | "step"
  | "step_field"
  | "no_batch"
  | "batch"
  | "root"
  | "filter"
  | "tag";

/** A name at which nothing will stand, as far as the catalogs know. */
export interface Warning extends Word {
  code: WarningCode;
  /** What to write instead of it. */
  near?: string | undefined;
}

/** Returns what is probably wrong with the names of a text, in their order. */
export function warningsOf({ paths, filters, tags, variables }: Scan, known: Known): Warning[] {
  const found = [
    ...paths.map((path) => ofPath(path, known, variables)),
    ...filters.map((word) => ofList(word, "filter", FILTERS)),
    ...tags.map((word) => ofList(word, "tag", TAGS)),
  ];
  return found.filter((one) => one !== undefined).sort((a, b) => a.from - b.from);
}

const warning = (word: Word, code: WarningCode, near?: readonly string[]): Warning => ({
  ...word,
  code,
  near: near && nearestOf(word.name, near),
});

const ofList = (word: Word, code: WarningCode, list: readonly string[]): Warning | undefined =>
  list.includes(word.name) ? undefined : warning(word, code, list);

function ofPath([root, field, ...rest]: Word[], known: Known, variables: Set<string>): Warning | undefined {
  if (!root || variables.has(root.name)) return undefined;
  if (root.name === "person") return field && ofNames(field, "person", known.person);
  if (root.name === "trigger") {
    if (!known.trigger) return warning(root, "no_trigger");
    return field && ofNames(field, "trigger", known.trigger);
  }
  if (root.name === "steps" && known.steps.length > 0) return field && ofStep(field, rest, known);
  if (root.name === "batch") {
    if (!known.batch) return warning(root, "no_batch");
    return field && ofList(field, "batch", BATCH);
  }
  return (ROOT_WORDS as readonly string[]).includes(root.name) ? undefined : ofRoot(root, field, known, variables);
}

const BATCH = ["count", "items"] as const;

function ofNames(word: Word, code: "person" | "trigger", { names, all }: Names): Warning | undefined {
  const has = [...names.map(({ name }) => name), ...(code === "person" ? PERSON_WORDS : [])];
  if (!all || COMPUTED.has(word.name) || has.includes(word.name)) return undefined;
  return warning(word, code, has);
}

function ofStep(id: Word, [kind, field]: Word[], { steps }: Known): Warning | undefined {
  const step = steps.find((one) => one.id === id.name);
  if (!step)
    return warning(
      id,
      "step",
      steps.map((one) => one.id),
    );
  if (!kind) return undefined;
  if (!(step.fields as readonly string[]).includes(kind.name)) return warning(kind, "step_field", step.fields);
  return kind.name === "event" && field && step.event ? ofNames(field, "trigger", step.event) : undefined;
}

/** A name that is below nothing: `first_name` for `person.first_name`, or `peron.first_name`. */
function ofRoot(root: Word, field: Word | undefined, known: Known, variables: Set<string>): Warning {
  const below = (data: string, names: readonly { name: string }[]) =>
    !field && names.some(({ name }) => name === root.name) ? `${data}.${root.name}` : undefined;
  const roots = [
    "person",
    ...(known.trigger ? ["trigger"] : []),
    ...(known.steps.length > 0 ? ["steps"] : []),
    ...(known.batch ? ["batch"] : []),
    ...ROOT_WORDS,
    ...variables,
  ];
  const near =
    below("person", [...known.person.names, ...PERSON_WORDS.map((name) => ({ name }))]) ??
    below("trigger", known.trigger?.names ?? []) ??
    nearestOf(root.name, roots);
  return { ...root, code: "root", near };
}
