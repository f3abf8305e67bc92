import { parse } from "csv-parse";

/** A record of a CSV file and the line on which it begins, counted from 1. */
export interface CsvRecord {
  line: number;
  fields: string[];
}

/** Text that is no CSV: a quote that is never closed, a record without end, bytes that are no UTF-8. */
export class BrokenCsv extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Characters of one record. A quote that nobody closes would otherwise keep the whole file in memory. */
const MOST_RECORD = 16 * 1024;
/** Each of these characters takes at most 3 bytes. More bytes than that without the end of a record are too many. */
const MOST_BYTES = 3 * MOST_RECORD;
const TOO_LONG = `has more than ${MOST_RECORD} characters, or an open quote`;
/** By the codes of csv-parse and of Node's TextDecoder. */
const REASONS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "has a quote that is never closed",
  ERR_ENCODING_INVALID_ENCODED_DATA: "is not valid UTF-8",
};

/**
 * Records of a CSV file (RFC 4180: quotes, quoted line breaks, CRLF, LF or CR alone), as its bytes arrive. Empty lines and a
 * byte order mark are skipped. Records in front of a broken place are given before the error is thrown. @throws BrokenCsv
 */
export async function* csvRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  // csv-parse puts replacement characters where bytes are no UTF-8, so this decoder looks at them first.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const found: CsvRecord[] = [];
  /** Line breaks inside of quotes, up to the last whole record. */
  let quotedBreaks = 0;
  // A stream that fails drops what nobody has read yet. So records are taken by `on_record`, and the stream itself gives none.
  const parser = parse({
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    on_record(fields: string[]) {
      const line = nextLine() - 1;
      if (fields.reduce((sum, field) => sum + 1 + field.length, 0) > MOST_RECORD) throw new BrokenCsv(line, TOO_LONG);
      found.push({ line, fields });
      for (const field of fields) if (field.includes("\n")) quotedBreaks += field.split("\n").length - 1;
      return null;
    },
  })
    .on("error", () => undefined)
    .resume();
  const nextLine = (): number => 1 + parser.info.records + parser.info.empty_lines + quotedBreaks;

  /** Without a chunk the file is at its end. */
  const hand = (chunk?: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      decoder.decode(chunk, { stream: chunk !== undefined });
      const done = (error?: Error | null): void => (error ? reject(error) : resolve());
      if (chunk) parser.write(chunk, done);
      else parser.end(done);
    });
  const broken = (error: Error & { code?: string }): Error => {
    const reason = REASONS[error.code ?? ""];
    return reason === undefined ? error : new BrokenCsv(nextLine(), reason);
  };
  let unended = 0;
  async function* taken(chunk?: Uint8Array): AsyncGenerator<CsvRecord> {
    const before = nextLine();
    const error = await hand(chunk).catch(broken);
    yield* found.splice(0);
    if (error) throw error;
    // csv-parse has a limit, too, but counts no commas: a line of 100 million of them would take 1 GB.
    unended = nextLine() === before ? unended + (chunk?.length ?? 0) : 0;
    if (unended > MOST_BYTES) throw new BrokenCsv(before, TOO_LONG);
  }
  for await (const chunk of bytes) yield* taken(chunk);
  yield* taken();
}

/**
 * One line of CSV. A cell that a spreadsheet would take as a formula gets a ' in front (OWASP, CSV injection); a reader of
 * ours takes it off again with `plainCell`.
 */
export const csvLine = (cells: string[]): string => `${cells.map(safeCell).join(",")}\r\n`;

function safeCell(text: string): string {
  const inert = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** What stood in a cell before csvLine made it safe. */
export const plainCell = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);
