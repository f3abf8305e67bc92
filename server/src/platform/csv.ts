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

/**
 * Records of a CSV file (RFC 4180: quotes, quoted line breaks, CRLF or LF), as its bytes arrive. Empty lines and a byte
 * order mark are skipped. @throws BrokenCsv
 */
export async function* csvRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = recordReader();
  for await (const chunk of bytes) {
    yield* reader.take(decoded(() => decoder.decode(chunk, { stream: true }), reader.line()));
  }
  yield* reader.take(decoded(() => decoder.decode(), reader.line()));
  yield* reader.end();
}

function decoded(decode: () => string, line: number): string {
  try {
    return decode();
  } catch {
    throw new BrokenCsv(line, "is not valid UTF-8");
  }
}

function recordReader() {
  let fields: string[] = [];
  let field = "";
  let quoted = false;
  /** The last character was a quote inside a quoted field: its end, or the first half of an escaped one. */
  let closing = false;
  let line = 1;
  let begun = 1;
  let size = 0;

  function* finish(): Generator<CsvRecord> {
    fields.push(field.endsWith("\r") && !closing ? field.slice(0, -1) : field);
    if (fields.length > 1 || fields[0] !== "" || closing) yield { line: begun, fields };
    [fields, field, closing, size] = [[], "", false, 0];
  }

  return {
    line: () => line,
    *take(text: string): Generator<CsvRecord> {
      for (const character of text) {
        if (++size > MOST_RECORD)
          throw new BrokenCsv(begun, `has more than ${MOST_RECORD} characters, or an open quote`);
        if (character === '"' && (quoted || closing || field === "")) {
          if (quoted) [quoted, closing] = [false, true];
          else if (closing) [field, quoted, closing] = [`${field}"`, true, false];
          else quoted = true;
        } else if (quoted) field += character;
        else if (character === ",") {
          fields.push(field);
          [field, closing] = ["", false];
        } else if (character === "\n") {
          yield* finish();
          begun = line + 1;
        } else if (!(closing && character === "\r")) field += character;
        if (character === "\n") line++;
      }
    },
    *end(): Generator<CsvRecord> {
      if (quoted) throw new BrokenCsv(begun, "has a quote that is never closed");
      if (size > 0) yield* finish();
    },
  };
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
