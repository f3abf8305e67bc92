interface Waiting<I, O> {
  input: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
}

/** The statement of a batch. It returns its answers in the order of its inputs; an Error among them rejects that call only. */
type Run<I, O> = (inputs: I[]) => Promise<(O | Error)[]>;

export interface GatherOptions {
  /** Statements under way at once. Two keep PostgreSQL busy while Node shapes the answers of the other; one gives bigger batches. */
  inFlight?: number;
  /** The most inputs of one statement. */
  most?: number;
  /** Whether the inputs of a failed batch may be tried again one by one: only if the whole batch surely had no effect. */
  retryAlone?: (error: unknown) => boolean;
}

/**
 * Inputs are split evenly among the statements that may be under way, and a further statement starts once it has this part of its
 * share. Otherwise the first statement takes all inputs: PostgreSQL then waits while this process writes the answers, and this process
 * waits while PostgreSQL reads. The split took syncs from 1.54 to 1.86 x of their floor and impressions from 1.08 to 1.17 (docs/performance.md).
 */
const SHARE = 0.85;
/** Fewer inputs than this are not split. */
const LEAST = 8;
/** An input waits at most this long for a bigger batch, so that no call waits behind a statement that hangs. */
const PATIENCE_MS = 10;

/**
 * A statement that takes longer than this (it may wait for a lock, or its connection may be silent) delays only its own calls: it frees
 * its slot, for at most MOST_SLOW statements at once. A database that is slow for everybody must not get more work.
 */
const SLOW_MS = 1_000;
const MOST_SLOW = 2;

/** Runs the statement of a batch and answers its calls. */
async function settle<I, O>(
  batch: Waiting<I, O>[],
  run: Run<I, O>,
  retryAlone: (error: unknown) => boolean,
): Promise<void> {
  try {
    const outputs = await run(batch.map((call) => call.input));
    batch.forEach((call, i) => {
      const output = outputs[i] as O | Error;
      if (output instanceof Error) call.reject(output);
      else call.resolve(output);
    });
  } catch (error) {
    if (batch.length > 1 && retryAlone(error)) for (const call of batch) await settle([call], run, retryAlone);
    else for (const call of batch) call.reject(error);
  }
}

/**
 * Gathers the calls of many requests into one statement: calls that arrive while a statement is under way join the next one.
 * When idle no call waits: a lone call starts at the end of the current turn of the event loop.
 */
export function gather<I, O>(run: Run<I, O>, options: GatherOptions = {}): (input: I) => Promise<O> {
  const { inFlight = 2, most = 128, retryAlone = () => false } = options;
  const waiting: Waiting<I, O>[] = [];
  let running = 0;
  let slow = 0;
  /** How many inputs the statements under way have. */
  let under = 0;
  let soon: NodeJS.Immediate | undefined;
  let patience: NodeJS.Timeout | undefined;

  const share = (): number => Math.min(most, Math.ceil((waiting.length + under) / inFlight));
  const size = (): number => Math.min(most, Math.max(LEAST, share()));
  const fair = (): boolean => running === 0 || waiting.length >= SHARE * share();

  /** Returns the function that ends a run. It frees the run's slot, unless the run was slow and has freed it before. */
  function slotOf(size: number): () => void {
    let isSlow = false;
    const late = setTimeout(() => {
      if (slow >= MOST_SLOW) return;
      isSlow = true;
      slow++;
      free();
    }, SLOW_MS);
    function free(): void {
      running--;
      under -= size;
      schedule();
    }
    return () => {
      clearTimeout(late);
      if (isSlow) slow--;
      else free();
    };
  }

  function start(): void {
    clearImmediate(soon);
    clearTimeout(patience);
    soon = patience = undefined;
    do {
      const batch = waiting.splice(0, size());
      running++;
      under += batch.length;
      const leave = slotOf(batch.length);
      settle(batch, run, retryAlone).finally(leave);
    } while (waiting.length > 0 && running < inFlight && fair());
    schedule();
  }

  function schedule(): void {
    if (running >= inFlight || waiting.length === 0) return;
    if (fair()) soon ??= setImmediate(start);
    else patience ??= setTimeout(start, PATIENCE_MS);
  }

  return (input) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      schedule();
    });
}
