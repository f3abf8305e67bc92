import { Problem } from "./problem.ts";

// Walks once over the raw text before JSON.parse reads it. MOST_STEPS bounds its time for any text.

export const MOST_DEPTH = 32;
/** Commas, colons and opening brackets of a body. A million empty objects fit into 3 MiB and took 2 s to parse and check. */
export const MOST_MARKS = 200_000;
/** Keys that are spelled with an escape are read one by one. */
export const MOST_ESCAPED = 20_000;
/** Characters that the scan looks at: those outside strings, escaped quotes and backslashes within, and the keys with an escape. */
const MOST_STEPS = 1_048_576;

export const refuse = (what: string): Problem =>
  new Problem("invalid_request", `The body ${what}.`, { errors: [{ pointer: "", message: what }] });

export interface Scanned {
  /** How many keys were written: each colon outside a string follows one. */
  keys: number;
  /** The start and the end of each key with an escape, alternating. */
  escaped: number[];
}

/**
 * Counts the keys of a text and finds those with an escape.
 * @throws Problem invalid_request, or payload_too_large if the text is large because of anything else than long strings
 */
export function scan(text: string): Scanned {
  const escaped: number[] = [];
  const plain = !text.includes("\\");
  let depth = 0;
  let keys = 0;
  let marks = 0;
  let steps = 0;
  let start = 0;
  let end = 0;
  for (let i = 0; i < text.length; i++) {
    if (++steps > MOST_STEPS) throw tooMuch(text, "has more than 1 MiB outside its texts");
    const code = text.charCodeAt(i);
    if (code === 34) {
      start = i;
      if (plain) {
        const found = text.indexOf('"', i + 1);
        i = end = found === -1 ? text.length : found;
      } else i = end = endOfString();
    } else if (code === 123 || code === 91) {
      marks++;
      if (++depth > MOST_DEPTH) throw refuse(`is nested deeper than ${MOST_DEPTH} levels`);
    } else if (code === 125 || code === 93) depth--;
    else if (code === 44) marks++;
    else if (code === 58) {
      keys++;
      marks++;
      if (!plain && text.slice(start, end).includes("\\")) {
        escaped.push(start, end);
        steps += end - start;
      }
    } else if (
      code === 45 &&
      (text.charCodeAt(i - 1) | 32) === 101 &&
      Number.parseInt(text.slice(i + 1, i + 10), 10) > 307
    ) {
      throw refuse("has a number too small to be kept");
    }
    if (marks > MOST_MARKS) throw tooMuch(text, `has more than ${MOST_MARKS} commas, colons and opening brackets`);
    if (escaped.length > 2 * MOST_ESCAPED) throw tooMuch(text, `has more than ${MOST_ESCAPED} keys with an escape`);
  }
  return { keys, escaped };

  /** Returns the index of the quote that closes the string at `start`, or the end of the text if there is none. */
  function endOfString(): number {
    let at = start;
    for (;;) {
      at = text.indexOf('"', at + 1);
      if (at === -1) return text.length;
      let slashes = 0;
      while (text.charCodeAt(at - 1 - slashes) === 92 && slashes <= MOST_STEPS) slashes++;
      steps += slashes;
      if (steps > MOST_STEPS) throw tooMuch(text, "has more than 1 MiB of escaped quotes and backslashes");
      if (slashes % 2 === 0) return at;
    }
  }
}

/** Only calls with attachments may send a text over 1 MiB: there the problem is the size. */
const tooMuch = (text: string, what: string): Problem =>
  text.length > MOST_STEPS
    ? new Problem("payload_too_large", `The body ${what}: only attachments may take it over 1 MiB.`)
    : refuse(`${what}: send it in parts`);
