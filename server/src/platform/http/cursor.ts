import { parseInstant } from "../time/clock.ts";
import { badParameter } from "./problem.ts";

/** The kinds of a cursor's parts and their checks. Without a check a forged cursor would be an error of PostgreSQL, and a 500 of ours. */
const KINDS = {
  instant: (text: string) => parseInstant(text) !== undefined,
  uuid: (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
  // Columns of PostgreSQL's types integer, and bigint and xid8.
  integer: (text: string) => /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31,
  whole: (text: string) => /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n,
  text: (text: string) => !text.includes("\0") && text.isWellFormed() && text.length <= 320,
};

export type PartKind = keyof typeof KINDS;

/** Encodes the sort key of the last row as a cursor: base64url JSON, opaque to clients. */
export const encodeCursor = (key: string[]): string => Buffer.from(JSON.stringify(key)).toString("base64url");

/**
 * Returns the sort key in a cursor, undefined for the first page.
 * @throws Problem invalid_request for anything that encodeCursor did not make with parts of these kinds
 */
export function decodeCursor(cursor: string | undefined, ...kinds: PartKind[]): string[] | undefined {
  if (cursor === undefined) return undefined;
  const key = partsOf(cursor);
  const fits = (part: unknown, i: number) => typeof part === "string" && KINDS[kinds[i] as PartKind](part);
  if (key?.length === kinds.length && key.every(fits)) return key as string[];
  throw badParameter("cursor", "is not a cursor of this list: use next_cursor of the page before");
}

/** Returns the parts of a cursor before their check; undefined for a text that is no cursor. */
export function partsOf(cursor: string | undefined): unknown[] | undefined {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor ?? "", "base64url").toString("utf8"));
    return Array.isArray(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** About how many characters a page has at most. To write 40 contents of 750 KB took 270 ms, in which no other request is served. */
const MOST_PAGE = 2 * 1024 * 1024;
/** How many characters a number, a key or a bracket counts as. */
const SMALL = 16;

/** Shapes a page from `limit + 1` rows: the extra row only shows that there are more. A page of large rows ends earlier. */
export function page<R, T>(
  rows: R[],
  limit: number,
  key: (row: R) => string[],
  shape: (row: R) => T,
): { data: T[]; next_cursor: string | null } {
  const data: T[] = [];
  let size = 0;
  for (const row of rows.slice(0, limit)) {
    const shaped = shape(row);
    size += sizeOf(shaped, MOST_PAGE);
    if (size > MOST_PAGE && data.length > 0) break;
    data.push(shaped);
  }
  const last = rows[data.length - 1];
  return { data, next_cursor: rows.length > data.length && last !== undefined ? encodeCursor(key(last)) : null };
}

/** Estimates the characters of a value, and stops counting above `most`: a delivery may have 100,000 events. */
function sizeOf(value: unknown, most: number): number {
  if (typeof value === "string") return SMALL + value.length;
  if (typeof value !== "object" || value === null) return SMALL;
  let size = SMALL;
  for (const part of Object.values(value)) {
    if (size > most) break;
    size += SMALL + sizeOf(part, most - size);
  }
  return size;
}
