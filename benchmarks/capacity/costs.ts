/** What one operation costs. */
export interface Cost {
  /** Rows that stay until retention deletes them, and their bytes with those of their indexes. */
  rows: number;
  bytes: number;
  /** Bytes of the write-ahead log without images of pages. */
  log: number;
  /** Bytes of the images of pages that one operation causes right after a checkpoint, when no page was changed yet. */
  images: number;
  /** The share of the bytes of deliveries and their log that operations of this kind can change. */
  reach: number;
  /** Microseconds of CPU of the service, once its code is compiled, and of PostgreSQL; IMAGE_NS comes on top. */
  server: number;
  database: number;
}

export type Operation = keyof typeof COSTS;

/**
 * Between two runs of `npm run bench -- bytes`, one of which is in docs/capacity.md. `reach` is what the images of many operations came to, divided by the bytes
 * that were there. Bytes and log don't depend on the load of the machine. An expiry writes its row anew, and the old version is free after the
 * next vacuum: its bytes are what the new one has more.
 */
export const COSTS = {
  /** With the entry of the log about it. */
  person: { rows: 2, bytes: 900, log: 1_395, images: 0, reach: 0, server: 21, database: 35 },
  event: { rows: 1, bytes: 332, log: 627, images: 0, reach: 0, server: 13, database: 23 },
  /**
   * An in-app delivery of a broadcast, with rendered content of its own. `images` are four fifths of those of decision 0058, for people at random: of the five
   * index pages at random places that a delivery changed there, that of the log is left out (decision 0072).
   */
  queued: { rows: 1, bytes: 790, log: 1_360, images: 8_800, reach: 0.24, server: 11, database: 35 },
  /** A sync that finds what it found before. */
  sync: { rows: 0, bytes: 0, log: 1, images: 0, reach: 0, server: 35, database: 24 },
  impression: { rows: 1, bytes: 340, log: 893, images: 11_600, reach: 0.37, server: 48, database: 59 },
  click: { rows: 1, bytes: 290, log: 654, images: 11_900, reach: 0.36, server: 49, database: 56 },
  dismissal: { rows: 1, bytes: 365, log: 1_280, images: 30_000, reach: 0.42, server: 49, database: 80 },
  expiry: { rows: 0, bytes: 25, log: 1_150, images: 30_000, reach: 0.42, server: 4, database: 35 },
  /** A transactional email of 900 bytes of HTML by template, from the request to the mail server's 250. */
  email: { rows: 3, bytes: 2_900, log: 4_780, images: 10_700, reach: 0.3, server: 477, database: 312 },
  text: { rows: 3, bytes: 1_085, log: 2_500, images: 11_000, reach: 0.3, server: 195, database: 192 },
} satisfies Record<string, Cost>;

/**
 * Nanoseconds of CPU of PostgreSQL for a byte of the images of pages: such a page was read first, and is written by the next checkpoint. It is what operations
 * took more in an installation of 10,000,000 deliveries than in one of 1,000,000 (`npm run bench -- capacity`).
 */
export const IMAGE_NS = 2.5;

/** Seconds of CPU that a new process of the service takes until its code is compiled, beyond the costs of what it does meanwhile. */
export const START = 2;
