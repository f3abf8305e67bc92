import type { Tidings } from "@tidings/web";

/** A list that components watch with useSyncExternalStore: it stays the same array until something changes. */
export interface Watched<T> {
  readonly current: readonly T[];
  set(next: readonly T[]): void;
  subscribe(listener: () => void): () => void;
}

export function watched<T>(): Watched<T> {
  const listeners = new Set<() => void>();
  let current: readonly T[] = [];
  return {
    get current() {
      return current;
    },
    set(next) {
      current = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The component that last set the screen, by client: a screen that is unmounted must not reset the one that replaced it. */
export const screenOwners = new WeakMap<Tidings, object>();
