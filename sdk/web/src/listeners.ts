export interface Listeners<T> {
  /** Gives the function that ends it. */
  add(run: (value: T) => void): () => void;
  tell(value: T): void;
}

/** A list of listeners; one that throws does not keep the others from hearing. */
export function createListeners<T>(failed: (error: unknown) => void): Listeners<T> {
  const listeners = new Set<{ run: (value: T) => void }>();
  return {
    add(run: (value: T) => void): () => void {
      // The same function may listen twice, and end once.
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
