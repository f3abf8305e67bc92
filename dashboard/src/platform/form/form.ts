import { type FormEvent, useRef, useState } from "react";
import { Refusal } from "../call/refusal.ts";
import { differing, merged, type Values } from "./merge.ts";

export interface Form<V extends Values> {
  values: V;
  set<K extends keyof V>(name: K, value: V[K]): void;
  /** What a text field needs. Names are JSON pointers into the body without the first slash, so that the service's errors find their field. */
  text(name: keyof V & string): {
    name: string;
    value: string;
    onChange: (event: { currentTarget: { value: string } }) => void;
    error: string | undefined;
  };
  errorOf(name: keyof V & string): string | undefined;
  /** The message at a pointer of the service, such as "/filter/all/0/value": for a field that has parts. */
  errorAt(pointer: string): string | undefined;
  /** What the service refused, by its place: the name of a field, and where it is in the field's value, such as `content/subject`. */
  faults: Faults;
  /** A refusal that belongs to no field of the form. */
  problem: Refusal | Error | undefined;
  /** The last refusal as a whole, until something is saved: for a form that shows errors deeper than its fields. */
  refusal: Refusal | undefined;
  dirty: boolean;
  busy: boolean;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  /** Takes other values as the saved ones. `typed` are the values to show, where they are not the same. */
  reset(values: V, typed?: V): void;
  /** Takes these values as the saved ones, and keeps what was typed since `sent`. */
  keep(values: V, sent: V): void;
  /** Saves without the button: `values` instead of those that are shown. */
  submit(values?: V): Promise<void>;
}

interface Pointed {
  pointer: string;
  message: string;
  /** The same from the field on. */
  path: string;
}

type Faults = Readonly<Record<string, string>>;

/** Returns what was refused at a place, or else at the first place within it. */
export const faultAt = (faults: Faults, place: string): string | undefined =>
  faults[place] ?? Object.entries(faults).find(([one]) => isWithin(one, place))?.[1];

const isWithin = (one: string, place: string): boolean => one === place || one.startsWith(`${place}/`);

/** Returns the name of the field for a pointer of the service, such as `/sender_defaults/country`. */
export type FieldOf = (pointer: string) => string;
const nameOf: FieldOf = (pointer) => pointer.replace(/^\//, "");

/**
 * The state of a form. `save` makes the call; its refusal is shown at the fields that it names, the first of which gets the focus. What was
 * typed stays whatever happens. A form that changes a resource uses `useEdit`, so that no change of others is lost.
 */
export function useForm<V extends Values>(
  initial: V,
  save: (values: V) => Promise<unknown>,
  fieldOf: FieldOf = nameOf,
): Form<V> {
  const [saved, setSaved] = useState(initial);
  const [values, setValues] = useState(initial);
  const [problem, setProblem] = useState<Refusal | Error>();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [pointed, setPointed] = useState<Pointed[]>([]);
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  /** Whether `save` said itself what is saved now. */
  const told = useRef(false);
  const element = useRef<HTMLFormElement>(null);

  const set = <K extends keyof V>(name: K, value: V[K]) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors(({ [name as string]: _, ...others }) => others);
    setPointed((all) => all.filter(({ path }) => !isWithin(path, String(name))));
  };

  const refused = (error: unknown) => {
    if (error instanceof Refusal) setRefusal(error);
    const { found, others } =
      error instanceof Refusal ? fieldErrors(error, Object.keys(values), fieldOf) : { found: {}, others: [] };
    setErrors(found);
    const wrong = (error instanceof Refusal ? (error.body.errors ?? []) : []).flatMap(({ pointer, message }) =>
      pointer === undefined ? [] : [{ pointer, message, path: fieldOf(pointer) }],
    );
    setPointed(wrong);
    const first = Object.keys(values).find((name) => name in found);
    if (!first) setProblem(error as Error);
    else if (others.length > 0) setProblem(new Error(others.join(" ")));
    // After the fields are drawn with their errors.
    const part = wrong.find(({ path }) => first && isWithin(path, first))?.path;
    if (first) setTimeout(() => element.current && focus(element.current, [part ?? first, first]));
  };

  async function submit(sent: V = values): Promise<void> {
    if (running.current) return;
    running.current = true;
    told.current = false;
    setBusy(true);
    setProblem(undefined);
    setRefusal(undefined);
    setErrors({});
    setPointed([]);
    try {
      await save(sent);
      if (!told.current) setSaved(sent);
    } catch (error) {
      refused(error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return {
    values,
    set,
    text: (name) => ({
      name,
      value: String(values[name] ?? ""),
      onChange: ({ currentTarget }) => set(name, currentTarget.value as V[typeof name]),
      error: errors[name],
    }),
    errorOf: (name) => errors[name],
    errorAt: (wanted) => pointed.find(({ pointer }) => pointer === wanted)?.message,
    faults: Object.fromEntries(pointed.map(({ path, message }) => [path, message])),
    problem,
    refusal,
    dirty: differing(saved, values).length > 0,
    busy,
    onSubmit(event) {
      event.preventDefault();
      // A dialog's form is inside of the page's form in React's tree, not in the document's.
      event.stopPropagation();
      element.current = event.currentTarget;
      void submit();
    },
    submit,
    reset(next, typed = next) {
      told.current = true;
      setSaved(next);
      setValues(typed);
      setErrors({});
      setPointed([]);
      setProblem(undefined);
    },
    keep(next, sent) {
      told.current = true;
      setSaved(next);
      setValues((now) => merged(sent, now, next));
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
