import { createHmac } from "node:crypto";
import type { Table } from "../connect/tables.ts";
import { Refused } from "../terminal/refused.ts";

/*
 * A backup is one gzipped text: a line of JSON about the whole; for each table a line of JSON and its rows as PostgreSQL's COPY
 * writes them, ended by `\.`; and a last line of JSON. `zcat FILE` shows it to people.
 */

/** The first line. */
export interface Header {
  format: "tidings-backup";
  /** The version of the format, not of the service. */
  version: 1;
  tidings: string;
  made_at: string;
  /** The migrations that had run when the rows were read: a restore creates the tables by them. */
  migrations: string[];
  sequences: Record<string, string>;
  /** Shows whether a key is the one that the credentials were sealed with. The key can't be computed from it. */
  key_check: string;
}

/** The last line: without it the file was cut off. */
export interface Ending {
  end: true;
  tables: number;
}

export const END_OF_ROWS = "\\.\n";
const NEWLINE = 0x0a;

export const keyCheck = (key: Buffer): string =>
  createHmac("sha256", key).update("tidings backup").digest("base64url").slice(0, 22);

const cutOff = () => new Refused("the file ends in the middle: it is not a whole backup");

/** Reads the lines and rows of a backup from its unzipped bytes, in pieces: a table may be larger than the memory. */
export class Reader {
  readonly #source: AsyncIterator<Buffer>;
  #read: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns the next line of JSON. */
  async line(): Promise<unknown> {
    let end = this.#read.indexOf(NEWLINE);
    while (end === -1) {
      await this.#more();
      end = this.#read.indexOf(NEWLINE);
    }
    const text = this.#read.toString("utf8", 0, end);
    this.#read = this.#read.subarray(end + 1);
    try {
      return JSON.parse(text);
    } catch {
      throw new Refused("the file is not a backup of Tidings");
    }
  }

  /** Yields the rows up to the end of this table, as COPY reads them. */
  async *rows(): AsyncGenerator<Buffer> {
    // Only complete lines are yielded, so that the mark is always at the beginning of the rest.
    for (;;) {
      const end = this.#markAt();
      if (end !== -1) {
        if (end > 0) yield this.#read.subarray(0, end);
        this.#read = this.#read.subarray(end + END_OF_ROWS.length);
        return;
      }
      const whole = this.#read.lastIndexOf(NEWLINE) + 1;
      if (whole > 0) {
        yield this.#read.subarray(0, whole);
        this.#read = this.#read.subarray(whole);
      }
      await this.#more();
    }
  }

  #markAt(): number {
    if (this.#read.indexOf(END_OF_ROWS) === 0) return 0;
    const found = this.#read.indexOf(`\n${END_OF_ROWS}`);
    return found === -1 ? -1 : found + 1;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done) throw cutOff();
    this.#read = this.#read.length === 0 ? value : Buffer.concat([this.#read, value]);
  }
}

export function headerOf(line: unknown): Header {
  const header = line as Partial<Header> | null;
  if (header?.format !== "tidings-backup") throw new Refused("the file is not a backup of Tidings");
  if (header.version !== 1)
    throw new Refused(`the file was written by a newer Tidings (${header.tidings}): update first`);
  return header as Header;
}

export const isEnding = (line: Table | Ending): line is Ending => "end" in line;
