import { Icon } from "../look/icons.tsx";
import { createStore, useStore } from "../store.ts";
import css from "./states.module.css";

interface Toast {
  id: number;
  text: string;
  bad: boolean;
}
const toasts = createStore<readonly Toast[]>([]);
const SHOWN_MS = 6_000;
let last = 0;

/** Says the result of what somebody did, at the edge of the window. An error that belongs to a field is said there instead. */
export function tell(text: string, { bad = false } = {}): void {
  const toast = { id: ++last, text, bad };
  toasts.set([...toasts.get().slice(-2), toast]);
  setTimeout(() => toasts.set(toasts.get().filter((one) => one !== toast)), bad ? SHOWN_MS * 2 : SHOWN_MS);
}

export function Toasts() {
  return (
    <div className={css.toasts} role="status">
      {useStore(toasts).map(({ id, text, bad }) => (
        <div key={id} className={css.toast}>
          <Icon name={bad ? "warn" : "check"} />
          <span>{text}</span>
        </div>
      ))}
    </div>
  );
}
