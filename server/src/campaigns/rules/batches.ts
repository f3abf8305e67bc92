// A batch step gathers the runs of one person and key: the first run that arrives leads the batch and waits, the others hand over their data
// to it. These rules decide who leads, and what content sees of a batch.

/** A batch with room: runs that arrive join it. */
export interface OpenBatch {
  key: string;
  /** The id of the run that waits. */
  leader: string;
  /** All runs of the batch, with the leader. */
  count: number;
  /** The first MOST_ITEMS of them. */
  runIds: string[];
  open: boolean;
}

/** The runs of a batch whose data content can read. The count of a batch has no limit. */
export const MOST_ITEMS = 100;

/**
 * Assigns each run that arrives, in order, to the batch of its key. Where no batch has room, the run leads a new one. A batch that is full
 * is closed, and only then the next one opens.
 * @param open the open batches by key. It gets the new batches.
 * @returns the batch of each run, and all batches that changed, in the order in which they must be written
 */
export function assign(
  arrivals: { id: string; key: string }[],
  open: Map<string, OpenBatch>,
  max = Number.POSITIVE_INFINITY,
): { batches: OpenBatch[]; changed: Set<OpenBatch> } {
  const changed = new Set<OpenBatch>();
  const batches = arrivals.map(({ id, key }) => {
    let batch = open.get(key);
    if (batch && batch.count < max) {
      batch.count++;
      if (batch.runIds.length < MOST_ITEMS) batch.runIds.push(id);
    } else {
      if (batch) changed.add(Object.assign(batch, { open: false }));
      batch = { key, leader: id, count: 1, runIds: [id], open: true };
      open.set(key, batch);
    }
    batch.open = batch.count < max;
    changed.add(batch);
    return batch;
  });
  return { batches, changed };
}

/** What content reads of a batch as `batch.*`. */
export interface Gathered {
  count: number;
  /** The data of the first runs. */
  items: Record<string, unknown>[];
}

/** The most characters of all items together, as JSON: they are stored with the run, and read with it by each later step. */
const MOST_CHARACTERS = 128 * 1024;

/** Returns the first items that fit together. */
export function fitting(items: Record<string, unknown>[]): Record<string, unknown>[] {
  let left = MOST_CHARACTERS;
  const end = items.findIndex((item) => {
    left -= JSON.stringify(item).length;
    return left < 0;
  });
  return end < 0 ? items : items.slice(0, end);
}

/** The part of a step's output that a batch step writes. */
export interface BatchOutput {
  batch?: Gathered;
  /** When the run left the batch step. */
  gathered_at?: string;
}

/** Returns the batch that the run left last, which is `batch.*` in its content. */
export function lastBatch(outputs: Record<string, BatchOutput>): Gathered | undefined {
  let last: BatchOutput | undefined;
  for (const output of Object.values(outputs))
    if (output.batch && (output.gathered_at ?? "") >= (last?.gathered_at ?? "")) last = output;
  return last?.batch;
}
