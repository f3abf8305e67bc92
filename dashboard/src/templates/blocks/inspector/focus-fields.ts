import { type RefObject, useCallback, useEffect, useRef } from "react";

const FIRST = "[contenteditable=true], input:not([type=color]), textarea";

/**
 * Returns a function that gives the focus to the first field in this part of the page. Where a field is still being loaded, the focus goes to it
 * as soon as it is there, unless it went elsewhere meanwhile.
 */
export function useFocusFields(within: RefObject<HTMLElement | null>): () => void {
  const waiting = useRef<MutationObserver>(undefined);
  useEffect(() => () => waiting.current?.disconnect(), []);
  return useCallback(() => {
    const part = within.current;
    if (!part) return;
    waiting.current?.disconnect();
    const from = document.activeElement;
    const look = () => {
      if (document.activeElement === from && part.querySelector("[aria-busy=true]")) return;
      waiting.current?.disconnect();
      if (document.activeElement === from) part.querySelector<HTMLElement>(FIRST)?.focus();
    };
    waiting.current = new MutationObserver(look);
    waiting.current.observe(part, { childList: true, subtree: true, attributeFilter: ["aria-busy"] });
    look();
  }, [within]);
}
