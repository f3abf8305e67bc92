export interface Listeners<T> {
  /** Returns the function that removes the listener. */
  add(run: (value: T) => void): () => void;
  /** Calls every listener. */
  tell(value: T): void;
}

/** Returns a list of listeners. Where one throws, `failed` gets the error and the others are still called. */
export function createListeners<T>(failed: (error: unknown) => void): Listeners<T> {
  const listeners = new Set<{ run: (value: T) => void }>();
  return {
    add(run: (value: T) => void): () => void {
      // The same function may be added twice; each removal then removes one.
      const listener = { run };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(value: T): void {
      for (const { run } of [...listeners]) {
        try {
          run(value);
        } catch (error) {
          failed(error);
        }
      }
    },
  };
}
