// Hand-offs that take long, as a story. A mail server may take a message and say nothing: RFC 5321 (4.5.3.2) asks to wait 10
// minutes for its answer, since who repeats sooner sends twice. So it is waited for, but it hides nothing and holds up nobody:
//   slow     a hand-off is under way for SLOW_MS. Operators are told
//   parked   after STUCK_MS one of them gives up its place, and the next delivery is tried in it; again every STUCK_MS, one at a
//            time. As soon as one comes through, all that are stuck give up theirs, and what waits goes out
// A parked hand-off still waits for its own answer. There are at most PARKED times as many as places.

/** No provider takes so long that answers at all: SMTP needs a second, our HTTP calls are given up after 30 s. */
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

  /** @param places hand-offs at once, as the provider has them */
  constructor(places: number) {
    this.#most = places * PARKED;
  }

  /** Says that one begins. @param giveUp gives its place to the next where it takes too long; called at most once */
  begin(now: number, giveUp: () => void): Passage {
    const passage = { began: now, parked: false, giveUp };
    this.#passages.add(passage);
    return passage;
  }

  /** Says that it has ended. What comes through in time shows that the provider works: no place is held for the stuck ones. */
  end(passage: Passage, now: number, answered: boolean): void {
    this.#passages.delete(passage);
    if (this.#passages.size === 0) for (const done of this.#watching.splice(0)) done();
    if (answered && now - passage.began < SLOW_MS) for (const one of this.#stuck(now)) this.#park(one, now);
  }

  /** Resolves when none is under way. */
  drained(): Promise<void> {
    return this.#passages.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#watching.push(resolve));
  }

  /** Gives a place free where all that hold one are stuck for long. To be asked every few seconds. */
  look(now: number): void {
    if (now - this.#lastParked < STUCK_MS) return;
    const [oldest] = this.#stuck(now);
    if (oldest) this.#park(oldest, now);
  }

  /** For how long the oldest hand-off is under way, where that is too long. */
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
