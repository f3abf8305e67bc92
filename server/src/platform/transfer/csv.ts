import { parse } from "csv-parse";

/** A record of a CSV file and the line on which it begins, counted from 1. */
export interface CsvRecord {
  line: number;
  fields: string[];
}

/** The file is not CSV: it has a quote that is never closed, a record that does not end, or bytes that are not UTF-8. */
export class BrokenCsv extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** The most characters of one record. Without a limit, a quote that is never closed would keep the whole file in memory. */
const MOST_RECORD = 16 * 1024;
/** A character takes at most 3 bytes, so a record that does not end within this many bytes is too long. */
const MOST_BYTES = 3 * MOST_RECORD;
const TOO_LONG = `has more than ${MOST_RECORD} characters, or an open quote`;
/** Sentences by the error codes of csv-parse and of Node's TextDecoder. */
const REASONS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "has a quote that is never closed",
  ERR_ENCODING_INVALID_ENCODED_DATA: "is not valid UTF-8",
};

/**
 * Reads the records of a CSV file (RFC 4180: quotes, quoted line breaks, CRLF, LF or CR alone) as its bytes arrive. Empty lines
 * and a byte order mark are skipped. Records before a broken line are yielded before the error is thrown. @throws BrokenCsv
 */
export async function* csvRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  // csv-parse replaces bytes that are not UTF-8 without an error, so this decoder checks them first.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const records: CsvRecord[] = [];
  /** Line breaks inside quotes, up to the end of the last complete record. */
  let quotedBreaks = 0;
  // A stream that fails drops the records that nobody has read yet. So `on_record` collects them, and the stream itself emits none.
  const parser = parse({
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    on_record(fields: string[]) {
      const line = nextLine() - 1;
      if (fields.reduce((sum, field) => sum + 1 + field.length, 0) > MOST_RECORD) throw new BrokenCsv(line, TOO_LONG);
      records.push({ line, fields });
      for (const field of fields) if (field.includes("\n")) quotedBreaks += field.split("\n").length - 1;
      return null;
    },
  })
    .on("error", () => undefined)
    .resume();
  const nextLine = (): number => 1 + parser.info.records + parser.info.empty_lines + quotedBreaks;

  /** Passes a chunk to the parser. Without a chunk the file is at its end. */
  const feed = (chunk?: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      decoder.decode(chunk, { stream: chunk !== undefined });
      const done = (error?: Error | null): void => (error ? reject(error) : resolve());
      if (chunk) parser.write(chunk, done);
      else parser.end(done);
    });
  const asBrokenCsv = (error: Error & { code?: string }): Error => {
    const reason = REASONS[error.code ?? ""];
    return reason === undefined ? error : new BrokenCsv(nextLine(), reason);
  };
  let bytesOfRecord = 0;
  async function* recordsOf(chunk?: Uint8Array): AsyncGenerator<CsvRecord> {
    const before = nextLine();
    const error = await feed(chunk).catch(asBrokenCsv);
    yield* records.splice(0);
    if (error) throw error;
    // csv-parse has a limit, too, but does not count commas: a line of 100 million commas would take 1 GB.
    bytesOfRecord = nextLine() === before ? bytesOfRecord + (chunk?.length ?? 0) : 0;
    if (bytesOfRecord > MOST_BYTES) throw new BrokenCsv(before, TOO_LONG);
  }
  for await (const chunk of bytes) yield* recordsOf(chunk);
  yield* recordsOf();
}

/**
 * Returns one line of CSV. A cell that a spreadsheet would run as a formula gets a ' in front (OWASP, CSV injection). Our own
 * imports remove it with `plainCell`.
 */
export const csvLine = (cells: string[]): string => `${cells.map(safeCell).join(",")}\r\n`;

function safeCell(text: string): string {
  const inert = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Returns the text that a cell had before `csvLine` made it safe. */
export const plainCell = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);
