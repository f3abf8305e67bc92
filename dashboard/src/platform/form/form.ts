import { type FormEvent, useRef, useState } from "react";
import type { Refusal } from "../call/refusal.ts";
import { differing, merged, type Values } from "./merge.ts";
import { type Faults, type FieldOf, nameOf, useRefusals } from "./refusals.ts";

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
  const refused = useRefusals(fieldOf);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  /** Whether `save` said itself what is saved now. */
  const told = useRef(false);
  const element = useRef<HTMLFormElement>(null);

  const set = <K extends keyof V>(name: K, value: V[K]) => {
    setValues((before) => ({ ...before, [name]: value }));
    refused.typed(String(name));
  };

  async function submit(sent: V = values): Promise<void> {
    if (running.current) return;
    running.current = true;
    told.current = false;
    setBusy(true);
    refused.begin();
    try {
      await save(sent);
      if (!told.current) setSaved(sent);
    } catch (error) {
      refused.take(error, Object.keys(values), element.current);
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
      error: refused.errors[name],
    }),
    errorOf: (name) => refused.errors[name],
    errorAt: (wanted) => refused.pointed.find(({ pointer }) => pointer === wanted)?.message,
    faults: Object.fromEntries(refused.pointed.map(({ path, message }) => [path, message])),
    problem: refused.problem,
    refusal: refused.refusal,
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
      refused.clear();
    },
    keep(next, sent) {
      told.current = true;
      setSaved(next);
      setValues((now) => merged(sent, now, next));
    },
  };
}
