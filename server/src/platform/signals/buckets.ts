/**
 * Returns the bucket of a signal's item. Items about people begin with a person key, and its first byte is the bucket, so that a node
 * need not hear about everybody: there are 256 buckets, and one for items that begin with no such byte.
 */
export const bucketOf = (item: string): string => (/^[0-9a-f]{2}/.test(item) ? item.slice(0, 2) : "zz");

/** The buckets that one subscriber wants, with the number of its items in each. The subscriber changes it; the signals watch it. */
export class Buckets {
  readonly #counts = new Map<string, number>();
  #changed: (() => void) | undefined;

  /** Subscribes to the bucket of `item`. */
  add(item: string): void {
    const bucket = bucketOf(item);
    const count = this.#counts.get(bucket) ?? 0;
    this.#counts.set(bucket, count + 1);
    if (count === 0) this.#changed?.();
  }

  /** Undoes one `add`; after the last one of a bucket its signals are no longer heard. */
  remove(item: string): void {
    const bucket = bucketOf(item);
    const count = this.#counts.get(bucket) ?? 0;
    if (count > 1) this.#counts.set(bucket, count - 1);
    else if (this.#counts.delete(bucket)) this.#changed?.();
  }

  has(item: string): boolean {
    return this.#counts.has(bucketOf(item));
  }

  names(): Iterable<string> {
    return this.#counts.keys();
  }

  /** For the signals: `changed` runs when a bucket becomes wanted or is no longer wanted. */
  watch(changed: (() => void) | undefined): void {
    this.#changed = changed;
  }
}
