import { useEffect } from "react";

/** Keys by what is pressed: "?", "/", or two in a row such as "g d". */
export type Keys = Record<string, () => void>;

/** The second key of a pair comes within this time. */
const PAIR_MS = 1_000;

const types = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest("[role=dialog]") !== null);

/** Listens to keys while the component is there. Keys typed into a field or a dialog, or with Ctrl, belong to those. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    let before = { key: "", at: 0 };
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || types(event.target)) return;
      const pair = event.timeStamp - before.at < PAIR_MS ? keys[`${before.key} ${event.key}`] : undefined;
      const work = pair ?? keys[event.key];
      before = { key: pair ? "" : event.key, at: event.timeStamp };
      if (!work) return;
      event.preventDefault();
      work();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [keys]);
}
