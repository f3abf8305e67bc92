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
 * Records of a CSV file (RFC 4180: quotes, quoted line breaks, CRLF, LF or CR alone), as its bytes arrive. Empty lines and a
 * byte order mark are skipped. @throws BrokenCsv
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

const [QUOTE, COMMA, LF, CR] = [34, 44, 10, 13];

function recordReader() {
  let fields: string[] = [];
  let field = "";
  let quoted = false;
  /** The last character was a quote inside a quoted field: its end, or the first half of an escaped one. */
  let closing = false;
  /** The last character was a CR that ended a record: an LF behind it belongs to it. */
  let ended = false;
  let line = 1;
  let begun = 1;
  let size = 0;

  function* finish(): Generator<CsvRecord> {
    fields.push(field);
    if (fields.length > 1 || fields[0] !== "" || closing) yield { line: begun, fields };
    [fields, field, closing, size] = [[], "", false, 0];
    begun = ++line;
  }

  return {
    line: () => line,
    *take(text: string): Generator<CsvRecord> {
      // Plain characters are taken over as runs: one by one they cost four times as much.
      let run = 0;
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        if (ended && code === LF) {
          [ended, run] = [false, i + 1];
          continue;
        }
        ended = false;
        if (++size > MOST_RECORD)
          throw new BrokenCsv(begun, `has more than ${MOST_RECORD} characters, or an open quote`);
        if (quoted ? code !== QUOTE : code !== QUOTE && code !== COMMA && code !== LF && code !== CR) {
          if (code === LF) line++;
          continue;
        }
        if (code === QUOTE && !quoted && !closing && (field !== "" || run < i)) continue;
        field += text.slice(run, i);
        run = i + 1;
        if (code === QUOTE) {
          if (quoted) [quoted, closing] = [false, true];
          else if (closing) [field, quoted, closing] = [`${field}"`, true, false];
          else quoted = true;
        } else if (code === COMMA) {
          fields.push(field);
          [field, closing] = ["", false];
        } else {
          yield* finish();
          ended = code === CR;
        }
      }
      field += text.slice(run);
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
