import { lacksRoom } from "./errors.ts";

const LOOK_MS = 3_000;

/** Knows whether PostgreSQL can write. It is asked only after it failed to write: its disk was full, or it was read-only. */
export class Room {
  #lacking = false;
  #asked = Number.NEGATIVE_INFINITY;

  /** Notes an error of the database. */
  note(error: unknown): void {
    if (lacksRoom(error)) this.#lacking = true;
  }

  /** @param write a small write, tried at most every 3 s, and only if there was no room at the last look */
  async isThere(write: () => Promise<unknown>): Promise<boolean> {
    if (!this.#lacking) return true;
    if (performance.now() - this.#asked < LOOK_MS) return false;
    this.#asked = performance.now();
    this.#lacking = !(await write().then(
      () => true,
      () => false,
    ));
    return !this.#lacking;
  }
}
