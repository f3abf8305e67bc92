import { type RefObject, useEffect, useRef } from "react";

/** Half of the element must be in sight for this long; a shorter sight is scrolling. */
const SHARE = 0.5;
const TIME_MS = 300;
const STEPS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Calls `seen` once, when half of the element was in sight for 300 ms in a page that the person looks at. */
export function useSeen(ref: RefObject<HTMLElement | null>, seen: () => void): void {
  const latest = useRef(seen);
  useEffect(() => {
    latest.current = seen;
  });
  useEffect(() => {
    const element = ref.current;
    if (!element || typeof IntersectionObserver !== "function") return;
    return watch(element, () => latest.current());
  }, [ref]);
}

function watch(element: HTMLElement, seen: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inSight = false;
  const begin = () => {
    clearTimeout(timer);
    if (inSight && !document.hidden) timer = setTimeout(check, TIME_MS);
  };
  const check = () => {
    // The end of a modal above the element has no event, so this checks again.
    if (isCovered(element)) return begin();
    end();
    seen();
  };
  const observer = new IntersectionObserver(
    (entries) => {
      const entry = entries.at(-1);
      const now = entry !== undefined && isInSight(entry);
      if (now === inSight) return;
      inSight = now;
      begin();
    },
    { threshold: STEPS },
  );
  function end(): void {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener("visibilitychange", begin);
  }
  observer.observe(element);
  document.addEventListener("visibilitychange", begin);
  return end;
}

/** Returns whether half of the element is in sight, or half of the window where the element is larger. */
function isInSight({ isIntersecting, intersectionRatio, intersectionRect, rootBounds }: IntersectionObserverEntry) {
  if (!isIntersecting) return false;
  return intersectionRatio >= SHARE || (rootBounds !== null && intersectionRect.height >= rootBounds.height * SHARE);
}

function isCovered(element: HTMLElement): boolean {
  const modals = [...document.querySelectorAll("dialog:modal")];
  return modals.length > 0 && !modals.some((modal) => modal.contains(element));
}
