// What happens to hand-offs that take long. A mail server may take a message and not answer: RFC 5321 (4.5.3.2) asks clients to wait
// 10 minutes for the answer, because an earlier repeat sends twice. So the hand-off waits, but it is visible and delays no other:
//   slow     a hand-off is under way for SLOW_MS. Operators see it
//   parked   after STUCK_MS one of them gives up its place, and the next delivery is tried in it; then another one every STUCK_MS.
//            As soon as one hand-off succeeds, all stuck ones give up their places, and the waiting deliveries are sent
// A parked hand-off still waits for its own answer. At most PARKED times as many as there are places are parked.

/** A provider that answers at all takes less: SMTP needs a second, and our HTTP calls end after 30 s. */
export const SLOW_MS = 15_000;
export const STUCK_MS = 20_000;
export const PARKED = 2;

interface Passage {
  began: number;
  parked: boolean;
  giveUp(): void;
}

/** The hand-offs of one provider that have begun and not ended. Times are of performance.now(). */
export class UnderWay {
  readonly #passages = new Set<Passage>();
  readonly #most: number;
  readonly #watching: (() => void)[] = [];
  #lastParked = Number.NEGATIVE_INFINITY;

  /** @param places hand-offs at once that the provider allows */
  constructor(places: number) {
    this.#most = places * PARKED;
  }

  /** Counts a hand-off that begins. @param giveUp gives its place to the next one, when it takes too long; called at most once */
  begin(now: number, giveUp: () => void): Passage {
    const passage = { began: now, parked: false, giveUp };
    this.#passages.add(passage);
    return passage;
  }

  /** Counts the end of a hand-off. One that succeeds in time shows that the provider works, so the stuck ones give up their places. */
  end(passage: Passage, now: number, answered: boolean): void {
    this.#passages.delete(passage);
    if (this.#passages.size === 0) for (const done of this.#watching.splice(0)) done();
    if (answered && now - passage.began < SLOW_MS) for (const one of this.#stuck(now)) this.#park(one, now);
  }

  /** Resolves when no hand-off is under way. */
  drained(): Promise<void> {
    return this.#passages.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#watching.push(resolve));
  }

  /** Parks the oldest stuck hand-off, at most one every STUCK_MS. To be called every few seconds. */
  look(now: number): void {
    if (now - this.#lastParked < STUCK_MS) return;
    const [oldest] = this.#stuck(now);
    if (oldest) this.#park(oldest, now);
  }

  /** Returns for how many milliseconds the oldest hand-off has been under way, where that is too long. */
  slowFor(now: number): number | undefined {
    let longest = 0;
    for (const { began } of this.#passages) longest = Math.max(longest, now - began);
    return longest >= SLOW_MS ? longest : undefined;
  }

  #stuck(now: number): Passage[] {
    return [...this.#passages].filter(({ parked, began }) => !parked && now - began >= STUCK_MS);
  }

  #park(passage: Passage, now: number): void {
    const parked = [...this.#passages].filter((one) => one.parked).length;
    if (parked >= this.#most) return;
    passage.parked = true;
    this.#lastParked = now;
    passage.giveUp();
  }
}
