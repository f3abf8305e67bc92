import { parseInstant } from "../clock.ts";
import { badParameter } from "./problem.ts";

/** What a part of a cursor must be: PostgreSQL would answer a forged one with an error, and we with a 500. */
const KINDS = {
  instant: (text: string) => parseInstant(text) !== undefined,
  uuid: (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
  whole: (text: string) => /^\d{1,19}$/.test(text),
  text: (text: string) => !text.includes("\0") && text.isWellFormed() && text.length <= 300,
};

/** A cursor is opaque to clients: the sort key of the last row, as base64url JSON. */
export const encodeCursor = (key: string[]): string => Buffer.from(JSON.stringify(key)).toString("base64url");

/**
 * The sort key in a cursor, undefined for the first page.
 * @throws Problem invalid_request for anything that encodeCursor did not make with parts of these kinds
 */
export function decodeCursor(cursor: string | undefined, ...kinds: (keyof typeof KINDS)[]): string[] | undefined {
  if (cursor === undefined) return undefined;
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    const fits = (part: unknown, i: number) => typeof part === "string" && KINDS[kinds[i] as keyof typeof KINDS](part);
    if (Array.isArray(key) && key.length === kinds.length && key.every(fits)) return key;
  } catch {
    // falls through to the problem below
  }
  throw badParameter("cursor", "is not a cursor of this list: use next_cursor of the page before");
}

/** Shapes a page from `limit + 1` rows: the extra row only says that there is more. */
export function page<R, T>(
  rows: R[],
  limit: number,
  key: (row: R) => string[],
  shape: (row: R) => T,
): { data: T[]; next_cursor: string | null } {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return {
    data: kept.map(shape),
    next_cursor: rows.length > limit && last !== undefined ? encodeCursor(key(last)) : null,
  };
}
