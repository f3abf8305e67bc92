import { LRUCache } from "lru-cache";

/** What is kept of `LRUCache`'s options: how long an entry lasts, and who hears that one left. */
type Options<V> = Pick<LRUCache.Options<string, V, unknown>, "ttl" | "dispose">;

/**
 * Returns a cache for at most so many entries, which forgets the one that was used least recently. It grows as it fills: with the option
 * `max` lru-cache makes all of its places at once, which for the 15 caches of a service took 24 ms of CPU of each start, and their memory.
 */
export function boundedCache<V extends {}>(most: number, options: Options<V> = {}): LRUCache<string, V> {
  return new Cache<V>({ ...options, maxSize: most, sizeCalculation: () => 1 });
}

/**
 * lru-cache keeps an entry that has expired until somebody asks for it. So what an installation with thousands of workspaces has asked once would
 * stay in memory for good: this looks for such entries when one is added, at most once in the time that an entry lasts.
 */
class Cache<V extends {}> extends LRUCache<string, V> {
  #looked = performance.now();

  override set(...[key, value, options]: Parameters<LRUCache<string, V>["set"]>): this {
    const now = performance.now();
    if (this.ttl > 0 && now - this.#looked > this.ttl) {
      this.#looked = now;
      this.purgeStale();
    }
    return super.set(key, value, options);
  }
}
