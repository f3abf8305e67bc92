import { type FormEvent, useRef, useState } from "react";
import { Refusal } from "../call/refusal.ts";

type Values = Record<string, unknown>;

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
  /** A refusal that belongs to no field of the form. */
  problem: Refusal | Error | undefined;
  dirty: boolean;
  busy: boolean;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  /** Takes other values as the saved ones. */
  reset(values: V): void;
}

/**
 * The state of a form. `save` makes the call; its refusal is shown at the fields that it names, the first of which gets the focus. What was
 * typed stays whatever happens.
 */
export function useForm<V extends Values>(initial: V, save: (values: V) => Promise<unknown>): Form<V> {
  const [saved, setSaved] = useState(initial);
  const [values, setValues] = useState(initial);
  const [problem, setProblem] = useState<Refusal | Error>();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const running = useRef(false);

  const set = <K extends keyof V>(name: K, value: V[K]) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors(({ [name as string]: _, ...others }) => others);
  };

  async function submit(element: HTMLFormElement): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(undefined);
    setErrors({});
    try {
      await save(values);
      setSaved(values);
    } catch (error) {
      const found = error instanceof Refusal ? fieldErrors(error, Object.keys(values)) : {};
      setErrors(found);
      if (Object.keys(found).length === 0) setProblem(error as Error);
      const first = Object.keys(values).find((name) => name in found);
      // After the fields are drawn with their errors.
      if (first) setTimeout(() => focus(element, first));
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
    problem,
    dirty: JSON.stringify(values) !== JSON.stringify(saved),
    busy,
    onSubmit(event) {
      event.preventDefault();
      void submit(event.currentTarget);
    },
    reset(next) {
      setSaved(next);
      setValues(next);
      setErrors({});
      setProblem(undefined);
    },
  };
}

const focus = (form: HTMLFormElement, name: string): void => {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
};

/** Returns the messages of a refusal by field: the field that the pointer names, or the one that contains it. */
function fieldErrors({ body }: Refusal, names: string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { pointer, parameter, message } of body.errors ?? []) {
    const path = pointer?.replace(/^\//, "") ?? parameter ?? "";
    const name = names
      .filter((one) => path === one || path.startsWith(`${one}/`))
      .sort((a, b) => b.length - a.length)[0];
    if (name) found[name] ??= message;
  }
  return found;
}
