import type { Buckets } from "./buckets.ts";
import type { Hear } from "./signals.ts";

interface Hearer {
  hear: Hear;
  buckets: Buckets | undefined;
}

/** The subscribers of this process by topic: the part of the signals that needs no network. */
export class Hearers {
  readonly #topics = new Map<string, Set<Hearer>>();
  readonly #changed: (topic: string) => void;

  /** `changed` runs when the hearers of a topic want other buckets than before. */
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

  /** Returns the buckets of a topic that at least one hearer wants, or "all". */
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
