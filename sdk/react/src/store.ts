import type { Tidings } from "@tidings/web";

/** A list that components watch with useSyncExternalStore: the same array until something changes. */
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

/** Who last said where the person is, by client: a screen that goes must not wipe out the one that took its place. */
export const screenOwners = new WeakMap<Tidings, object>();
