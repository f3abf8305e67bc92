/**
 * Writes an array in PostgreSQL's text form, for values that need no quotes: ids, numbers, booleans, ISO 8601 times, our own words.
 * The driver would escape each value: 90 us for 1,000 ids, where this takes 24.
 */
export const unquoted = (list: readonly (string | number | boolean | null)[]): string =>
  `{${list.map((value) => value ?? "NULL").join(",")}}`;

/**
 * Writes a `text[]` in PostgreSQL's binary form (array_recv), for any text. In the text form this process would escape each character and
 * PostgreSQL would read it back: for the contents of 30 emails that is a fifth of the insert's cost.
 */
export const texts = (list: readonly (string | null)[]): Buffer => binary(list, TEXT, NO_PREFIX);
/** Writes a `jsonb[]` in the binary form. A value may be in pieces: to join 20 MiB first takes as long as all the rest. */
export const jsonbs = (list: readonly (Pieces | null)[]): Buffer => binary(list, JSONB, JSONB_PREFIX);
type Pieces = string | readonly string[];

const TEXT = 25;
const JSONB = 3802;
const NO_PREFIX = Buffer.alloc(0);
/** The version of jsonb's binary form, before the JSON itself. */
const JSONB_PREFIX = Buffer.from([1]);

/** Bytes of: dimensions, whether there are nulls, type, count, first index. Each element follows with its length, -1 for null. */
const HEADER = 20;

function binary(list: readonly (Pieces | null)[], type: number, prefix: Buffer): Buffer {
  if (list.length === 0) return header(Buffer.alloc(12), 0, false, type);
  const lengths = list.map((text) => (text === null ? -1 : prefix.length + bytesIn(text)));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), HEADER));
  header(bytes, 1, lengths.includes(-1), type);
  bytes.writeInt32BE(list.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = HEADER;
  list.forEach((text, i) => {
    at = bytes.writeInt32BE(lengths[i] as number, at);
    if (text === null) return;
    at += prefix.copy(bytes, at);
    if (typeof text === "string") at += bytes.write(text, at);
    else for (const piece of text) at += bytes.write(piece, at);
  });
  return bytes;
}

const bytesIn = (text: Pieces): number =>
  typeof text === "string" ? Buffer.byteLength(text) : text.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);

function header(bytes: Buffer, dimensions: number, nulls: boolean, type: number): Buffer {
  bytes.writeInt32BE(dimensions, 0);
  bytes.writeInt32BE(nulls ? 1 : 0, 4);
  bytes.writeInt32BE(type, 8);
  return bytes;
}
