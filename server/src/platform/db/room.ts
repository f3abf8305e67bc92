import { lacksRoom } from "./errors.ts";

const LOOK_MS = 3_000;

/** Whether PostgreSQL can write. It is asked only after it said that it can't: a full disk, or one that may only be read. */
export class Room {
  #lacking = false;
  #asked = Number.NEGATIVE_INFINITY;

  /** Looks at an error of the database. */
  note(error: unknown): void {
    if (lacksRoom(error)) this.#lacking = true;
  }

  /** @param write a small write, tried each 3 s at the most, and only while there was no room at the last look */
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
