/** One of those who share a room, such as an endpoint, a workspace, or one of its channels. */
export interface Sharer {
  /** How many items it has there. */
  held: number;
}

export interface RoomOptions {
  /** Items of all. */
  most: number;
  /** Items of one. */
  each: number;
  /** Items of one, however many there are. */
  least: number;
}

/** The leased items in the memory of a process, shared out: who stalls fills its own share, and the others go on. */
export class Room {
  readonly #options: RoomOptions;
  #held = 0;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /** How many more items there is room for. */
  free(): number {
    return this.#options.most - this.#held;
  }

  /** How many items one may have. With many that stall each new one gets less, so that a few hundred of them still leave room for the rest. */
  share(): number {
    const { each, least } = this.#options;
    return Math.min(each, Math.max(least, Math.floor(this.free() / 8)));
  }

  /** Whether one more of it may stay. */
  takes({ held }: Sharer, more = 0): boolean {
    return held + more < this.share();
  }

  /**
   * Whether nothing is to be claimed for it now. More is claimed at half: at every place that falls free, a claim would lease a
   * batch to keep one and give back the rest.
   */
  hasEnough({ held }: Sharer): boolean {
    return held > this.share() / 2;
  }

  enter(sharer: Sharer, count = 1): void {
    sharer.held += count;
    this.#held += count;
  }

  leave(sharer: Sharer): void {
    sharer.held--;
    this.#held--;
  }
}
