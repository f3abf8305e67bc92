import { useSyncExternalStore } from "react";

// The address is the only state; a shop of this size needs no library for that.

const CHANGED = "shop:changed";

/** Goes to another page of the shop. */
export function go(path: string): void {
  history.pushState(null, "", path);
  window.dispatchEvent(new Event(CHANGED));
  scrollTo(0, 0);
}

/** The path that the person is at. */
export function usePath(): string {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("popstate", changed);
      window.addEventListener(CHANGED, changed);
      return () => {
        window.removeEventListener("popstate", changed);
        window.removeEventListener(CHANGED, changed);
      };
    },
    () => location.pathname,
  );
}

/** The screen's name as Tidings knows it. */
export const screenOf = (path: string) => path.slice(1) || "home";
