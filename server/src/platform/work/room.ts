/** One of the sharers of a room, such as an endpoint, a workspace, or a channel of a workspace. */
export interface Sharer {
  /** How many items it has in the room. */
  held: number;
}

export interface RoomOptions {
  /** The most items of all sharers together. */
  most: number;
  /** The most items of one sharer. */
  each: number;
  /** The share of one sharer is never smaller than this, however many sharers there are. */
  least: number;
}

/** The room for leased items in the memory of a process. A sharer that stalls fills only its own share, and the others go on. */
export class Room {
  readonly #options: RoomOptions;
  #held = 0;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /** Returns how many more items fit. */
  free(): number {
    return this.#options.most - this.#held;
  }

  /** Returns how many items one sharer may have. If many stall, each new one gets less, so that a few hundred still leave room for the rest. */
  share(): number {
    const { each, least } = this.#options;
    return Math.min(each, Math.max(least, Math.floor(this.free() / 8)));
  }

  /** Returns whether one more item of this sharer fits, after `more` others. */
  takes({ held }: Sharer, more = 0): boolean {
    return held + more < this.share();
  }

  /**
   * Returns whether nothing should be claimed for this sharer now. Claims start again at half of its share: a claim for each item that
   * leaves would lease a batch, keep one item and give back the rest.
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
