import type { OtherThread, Told } from "../threads/other-thread.ts";
import type { Buckets } from "./buckets.ts";
import type { Hear } from "./signals.ts";

interface Hearer {
  hear: Hear;
  buckets: Buckets | undefined;
}

/** Items that were published in the other thread. */
const SIGNALLED: Told<{ topic: string; items: string[] }> = "signals.published";

/** The subscribers of this process by topic, those of its other thread included: the part of the signals that needs no network. */
export class Hearers {
  readonly #topics = new Map<string, Set<Hearer>>();
  readonly #changed: (topic: string) => void;
  readonly #other: OtherThread | undefined;

  /** `changed` runs when the hearers of a topic want other buckets than before. */
  constructor(other: OtherThread | undefined, changed: (topic: string) => void = () => {}) {
    this.#changed = changed;
    this.#other = other;
    other?.on(SIGNALLED, ({ topic, items }) => this.deliver(topic, items));
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

  /** Delivers what this thread publishes, to both threads. */
  publish(topic: string, items: string[]): void {
    this.deliver(topic, items);
    if (items.length > 0) this.#other?.tell(SIGNALLED, { topic, items });
  }

  /** Delivers what another process published, in this thread: the other one hears it by itself. */
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
