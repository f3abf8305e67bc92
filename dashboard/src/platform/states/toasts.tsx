import { Icon } from "../look/icons.tsx";
import { createStore, useStore } from "../store.ts";
import { Fault } from "./fault.tsx";
import css from "./states.module.css";

interface Toast {
  id: number;
  says: string | Error;
}
const toasts = createStore<readonly Toast[]>([]);
const SHOWN_MS = 6_000;
let last = 0;

/** Says the result of what somebody did, at the edge of the window. */
export const tell = (text: string): void => show(text);

/** Says why something that somebody did went wrong. An error that belongs to a field is said there instead. */
export const tellFault = (error: Error): void => show(error);

function show(says: string | Error): void {
  const toast = { id: ++last, says };
  toasts.set([...toasts.get().slice(-2), toast]);
  setTimeout(
    () => toasts.set(toasts.get().filter((one) => one !== toast)),
    says instanceof Error ? SHOWN_MS * 2 : SHOWN_MS,
  );
}

export function Toasts() {
  return (
    <div className={css.toasts} role="status">
      {useStore(toasts).map(({ id, says }) => (
        <div key={id} className={css.toast}>
          <Icon name={says instanceof Error ? "warn" : "check"} />
          <span>{typeof says === "string" ? says : <Fault of={says} />}</span>
        </div>
      ))}
    </div>
  );
}
