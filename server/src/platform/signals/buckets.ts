/**
 * Hints about people are parted by the first byte of what they begin with (a person's key), so that a node need not
 * hear about everybody: 256 parts, and one for what begins with no such byte.
 */
export const bucketOf = (item: string): string => (/^[0-9a-f]{2}/.test(item) ? item.slice(0, 2) : "zz");

/** The buckets that one hearer wants, counted by what is in them. The hearer changes it; the signals watch it. */
export class Buckets {
  readonly #counts = new Map<string, number>();
  #changed: (() => void) | undefined;

  /** From now on hints that begin as `item` does are heard. */
  add(item: string): void {
    const bucket = bucketOf(item);
    const count = this.#counts.get(bucket) ?? 0;
    this.#counts.set(bucket, count + 1);
    if (count === 0) this.#changed?.();
  }

  /** Takes one `add` back; after the last of a bucket nothing of it is heard any more. */
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

  /** For the signals: `changed` runs when a bucket is wanted for the first time or no more. */
  watch(changed: (() => void) | undefined): void {
    this.#changed = changed;
  }
}
