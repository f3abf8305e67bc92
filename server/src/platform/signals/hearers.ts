import type { Buckets } from "./buckets.ts";
import type { Hear } from "./signals.ts";

interface Hearer {
  hear: Hear;
  buckets: Buckets | undefined;
}

/** Who of this process hears of which topic: the half of a seam of signals that needs no network. */
export class Hearers {
  readonly #topics = new Map<string, Set<Hearer>>();
  readonly #changed: (topic: string) => void;

  /** `changed` runs when what the hearers of a topic want has changed. */
  constructor(changed: (topic: string) => void = () => {}) {
    this.#changed = changed;
  }

  add(topic: string, hear: Hear, buckets: Buckets | undefined): () => void {
    const hearer = { hear, buckets };
    const set = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, set.add(hearer));
    buckets?.watch(() => this.#changed(topic));
    this.#changed(topic);
    return () => {
      if (!set.delete(hearer)) return;
      buckets?.watch(undefined);
      this.#changed(topic);
    };
  }

  deliver(topic: string, items: string[]): void {
    for (const { hear, buckets } of this.#topics.get(topic) ?? []) {
      const wanted = buckets ? items.filter((item) => buckets.has(item)) : items;
      if (wanted.length > 0) hear(wanted);
    }
  }

  /** The buckets that somebody wants of a topic, or "all". */
  wanted(topic: string): Set<string> | "all" {
    const names = new Set<string>();
    for (const { buckets } of this.#topics.get(topic) ?? []) {
      if (!buckets) return "all";
      for (const name of buckets.names()) names.add(name);
    }
    return names;
  }

  topics(): Iterable<string> {
    return this.#topics.keys();
  }
}
