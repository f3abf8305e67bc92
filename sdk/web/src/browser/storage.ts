import type { Environment, Store } from "./environment.ts";

/**
 * Returns storage that never refuses: entries that the browser refuses (a private window, a quota) are kept in memory, as
 * long as the page lives.
 */
export function createStorage(env: Environment): Store {
  const own = env.storage;
  const memory = new Map<string, string>();
  function quietly<T>(run: (own: Store) => T, otherwise: T): T {
    try {
      return own ? run(own) : otherwise;
    } catch {
      return otherwise;
    }
  }
  return {
    get: (key) => memory.get(key) ?? quietly((own) => own.get(key), null),
    set(key, value) {
      memory.set(key, value);
      quietly((own) => {
        own.set(key, value);
        memory.delete(key);
      }, undefined);
    },
    remove(key) {
      memory.delete(key);
      quietly((own) => own.remove(key), undefined);
    },
    keys: () => [...memory.keys(), ...quietly((own) => own.keys(), [])],
  };
}
