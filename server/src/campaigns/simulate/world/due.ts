import type { World } from "./world.ts";

interface Due {
  at: number;
  /** Of runs that are due at one time, the one that was added first comes first. */
  order: number;
  id: string;
}

const isBefore = (one: Due, other: Due): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** The active runs of a world by the time at which they are due: a binary heap, because a replay has up to 100,000 of them. */
export class DueRuns {
  readonly #world: World;
  readonly #heap: Due[] = [];
  /** The time with which each run is in the heap. */
  readonly #added = new Map<string, number>();
  #order = 0;

  constructor(world: World) {
    this.#world = world;
    for (const id of world.runs.keys()) this.add(id);
  }

  /** Adds a run where it is due now. An entry with an earlier state of the run is dropped when its time comes. */
  add(id: string): void {
    const at = this.#world.runs.get(id)?.row.due_at?.getTime();
    if (at === undefined || this.#added.get(id) === at) return;
    this.#added.set(id, at);
    const heap = this.#heap;
    const due = { at, order: this.#order++, id };
    let i = heap.push(due) - 1;
    for (let up = (i - 1) >> 1; i > 0 && isBefore(due, heap[up] as Due); up = (i - 1) >> 1) {
      this.#swap(i, up);
      i = up;
    }
  }

  /** Returns when the next run is due, in milliseconds since 1970. */
  next(): number | undefined {
    for (let first = this.#heap[0]; first; first = this.#heap[0]) {
      if (this.#world.runs.get(first.id)?.row.due_at?.getTime() === first.at) return first.at;
      this.#drop();
    }
    return undefined;
  }

  /** Takes out up to `limit` runs that are due at this time, each once. */
  take(at: number, limit: number): string[] {
    const ids = new Set<string>();
    while (ids.size < limit && this.next() === at) {
      const { id } = this.#heap[0] as Due;
      ids.add(id);
      this.#added.delete(id);
      this.#drop();
    }
    return [...ids];
  }

  #drop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    heap[0] = last;
    for (let i = 0; ; ) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let least = i;
      if (left < heap.length && isBefore(heap[left] as Due, heap[least] as Due)) least = left;
      if (right < heap.length && isBefore(heap[right] as Due, heap[least] as Due)) least = right;
      if (least === i) return;
      this.#swap(i, least);
      i = least;
    }
  }

  #swap(one: number, other: number): void {
    const heap = this.#heap;
    [heap[one], heap[other]] = [heap[other] as Due, heap[one] as Due];
  }
}
