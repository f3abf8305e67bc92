import { useSyncExternalStore } from "react";

// The address is the only state; a shop of this size needs no library for it.

const CHANGED = "shop:changed";

/** Opens another page of the shop. */
export function go(path: string): void {
  history.pushState(null, "", path);
  window.dispatchEvent(new Event(CHANGED));
  scrollTo(0, 0);
}

/** Returns the path of the current page. */
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

/** Returns the screen's name in Tidings. */
export const screenOf = (path: string) => path.slice(1) || "home";
