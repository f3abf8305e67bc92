import { useEffect } from "react";

/** Keys by what is pressed: "?", "/", or two in a row such as "g d". */
export type Keys = Record<string, () => void>;

/** The second key of a pair comes within this time. */
const PAIR_MS = 1_000;

/** Whether somebody types into this. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("[role=dialog]") !== null;

/** Whether the keys that this gets are not those of the page. */
export const keepsKeys = (target: EventTarget | null): boolean => isField(target) || isInDialog(target);

/** Listens to keys while the component is there. Keys typed into a field or a dialog, or with Ctrl, belong to those. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    let before = { key: "", at: 0 };
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || keepsKeys(event.target)) return;
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
