import type { DestinationTable } from "@tidings/contract/destinations";
import { OutboundError, type OutboundAnswer, readable, restOf } from "../../platform/outbound-http/index.ts";
import type { Row } from "./columns.ts";

/**
 * The body of a batch in the making. Rows become bytes page by page: 10,000 rows that wait as objects and lines until the last one is there took
 * the garbage collector up to 60 ms at once.
 */
export interface Body {
  /** Adds rows. Returns the number of bytes that they took: of JSON before gzip, of Parquet as they are sent. */
  add(rows: Row[]): Promise<number>;
  /** Returns all as it is sent. */
  end(): Promise<Buffer>;
}

/** A batch for a far end. */
export interface Sending {
  table: DestinationTable;
  /** The name of the batch. It does not change between attempts, so that a repeated batch replaces itself. */
  name: string;
  day: string;
  /** The bytes of a body that this far end began. */
  body: Buffer;
  signal: AbortSignal;
}

/** Where the rows of one destination go. @throws FarEndError */
export interface FarEnd {
  /** Begins the body of a batch. */
  begin(table: DestinationTable): Body;
  /** Returns once the rows are stored there. A repeat of a batch changes nothing there. */
  send(sending: Sending): Promise<void>;
  /** Tries whether `send` would work. */
  test(tables: DestinationTable[]): Promise<void>;
}

/** The far end refused a call or did not answer. The message is for the owner of the destination. */
export class FarEndError extends Error {
  /** How long it asked to get no calls. */
  readonly restMs: number;
  constructor(message: string, restMs = 0) {
    super(message);
    this.restMs = restMs;
  }
}

export const TIMEOUT_MS = 30_000;
const MOST_TEXT = 500;

/** Makes a call and returns its answer if it has one of these statuses. @param said what the answer says about a fault */
export async function answered(
  call: Promise<OutboundAnswer>,
  { expected, said, now }: { expected: number[]; said(answer: OutboundAnswer): string; now: Date },
): Promise<OutboundAnswer> {
  let answer: OutboundAnswer;
  try {
    answer = await call;
  } catch (error) {
    if (error instanceof OutboundError) throw new FarEndError(error.message);
    throw error;
  }
  const { status, headers } = answer;
  if (expected.includes(status)) return answer;
  const why = status >= 300 && status < 400 ? "redirects are not followed: give the final address" : said(answer);
  const text = readable(Buffer.from(why)).replaceAll(/\s+/g, " ").trim().slice(0, MOST_TEXT);
  throw new FarEndError(`It answered ${status}${text && `: ${text}`}`, restOf(status, headers["retry-after"], now));
}
