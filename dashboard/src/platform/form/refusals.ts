import { useState } from "react";
import { Refusal } from "../call/refusal.ts";

interface Pointed {
  pointer: string;
  message: string;
  /** The pointer from the field on. */
  path: string;
}

export type Faults = Readonly<Record<string, string>>;

/** Returns what was refused at a place, or else at the first place within it. */
export const faultAt = (faults: Faults, place: string): string | undefined =>
  faults[place] ?? Object.entries(faults).find(([one]) => isWithin(one, place))?.[1];

const isWithin = (one: string, place: string): boolean => one === place || one.startsWith(`${place}/`);

/** Returns the name of the field for a pointer of the service, such as `/sender_defaults/country`. */
export type FieldOf = (pointer: string) => string;
export const nameOf: FieldOf = (pointer) => pointer.replace(/^\//, "");

/** What the service refused of a form, until it is typed over, or saved. */
export function useRefusals(fieldOf: FieldOf) {
  const [problem, setProblem] = useState<Refusal | Error>();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [pointed, setPointed] = useState<Pointed[]>([]);
  const [refusal, setRefusal] = useState<Refusal>();

  function clear(): void {
    setErrors({});
    setPointed([]);
    setProblem(undefined);
  }

  return {
    problem,
    errors,
    pointed,
    refusal,
    clear,
    /** Another attempt begins. */
    begin() {
      clear();
      setRefusal(undefined);
    },
    /** A field has another value: what was said of it is over. */
    typed(field: string) {
      setErrors(({ [field]: _, ...others }) => others);
      setPointed((all) => all.filter(({ path }) => !isWithin(path, field)));
    },
    /** Shows why the attempt failed, at the fields of these names where it names them. The first of them gets the focus. */
    take(error: unknown, names: string[], form: HTMLFormElement | null) {
      if (error instanceof Refusal) setRefusal(error);
      const { found, others } =
        error instanceof Refusal ? fieldErrors(error, names, fieldOf) : { found: {}, others: [] };
      setErrors(found);
      const wrong = (error instanceof Refusal ? (error.body.errors ?? []) : []).flatMap(({ pointer, message }) =>
        pointer === undefined ? [] : [{ pointer, message, path: fieldOf(pointer) }],
      );
      setPointed(wrong);
      const first = names.find((name) => name in found);
      if (!first) setProblem(error as Error);
      else if (others.length > 0) setProblem(new Error(others.join(" ")));
      // After the fields are drawn with their errors.
      const part = wrong.find(({ path }) => first && isWithin(path, first))?.path;
      if (first) setTimeout(() => form && focus(form, [part ?? first, first]));
    },
  };
}

/** Gives the focus to the first of these names that the form has. */
function focus(form: HTMLFormElement, names: string[]): void {
  const found = names.map((name) => form.elements.namedItem(name)).find((one) => one !== null);
  const named = found instanceof RadioNodeList ? found[0] : found;
  // A field that has parts has no name of its own: the part that is wrong.
  const field = named ?? form.querySelector("[aria-invalid=true]");
  if (!(field instanceof HTMLElement)) return;
  // A Select and an editor have their name on a hidden field beside the one that is seen.
  if (field instanceof HTMLInputElement && field.type === "hidden")
    field.parentElement
      ?.querySelector<HTMLElement>("input:not([type=hidden]), textarea, [contenteditable=true], button")
      ?.focus();
  else field.focus();
}

/** Returns the messages of a refusal by field: the field that the pointer names, or the one that contains it; and those of no field. */
function fieldErrors(
  { body }: Refusal,
  names: string[],
  fieldOf: FieldOf,
): { found: Record<string, string>; others: string[] } {
  const found: Record<string, string> = {};
  const others: string[] = [];
  for (const { pointer, parameter, message } of body.errors ?? []) {
    const path = pointer === undefined ? (parameter ?? "") : fieldOf(pointer);
    const name = names
      .filter((one) => path === one || path.startsWith(`${one}/`))
      .sort((a, b) => b.length - a.length)[0];
    if (name) found[name] ??= message;
    else others.push(path ? `${path}: ${message}` : message);
  }
  return { found, others };
}
