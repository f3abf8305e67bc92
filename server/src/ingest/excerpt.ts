// Refused data is stored as an excerpt: enough to see what is wrong with it, without secrets. Pure.

const MOST_TEXT = 120;
const MOST_NAME = 60;
const MOST_ENTRIES = 20;
const MOST_DEPTH = 5;
/** The most characters of one excerpt, including names: the 10,000 excerpts that a workspace keeps take some 20 MB. */
const MOST_CHARACTERS = 2_000;

const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|secret|token|api[-_]?key|write[-_]?key|^keys?$|auth|credential|cookie|session|signature|private|p256dh|endpoint|cvv|cvc|card|iban|^pin$|ssn/i;
/** Keys of Tidings, JWTs, and credentials after Bearer or Basic, wherever a client put them. */
const SECRET_TEXT = /tid_(?:sec|pub)_|\beyJ[\w-]{5,}\.[\w-]+|\b(?:bearer|basic)\s+\S{8,}|-----BEGIN/i;
const REDACTED = "[redacted]";

/** Returns a part of any JSON value that is small and contains no secrets. */
export function excerpt(value: unknown): unknown {
  let left = MOST_CHARACTERS;

  const part = (inner: unknown, depth: number): unknown => {
    if (typeof inner === "string") {
      const text = SECRET_TEXT.test(inner) ? REDACTED : shortened(inner);
      left -= text.length;
      return text;
    }
    if (typeof inner !== "object" || inner === null) {
      left -= 8;
      return inner;
    }
    if (depth === MOST_DEPTH) return "[deeper]";
    return Array.isArray(inner) ? items(inner, depth) : fields(inner, depth);
  };

  const items = (list: unknown[], depth: number): unknown[] => {
    const shown: unknown[] = [];
    for (const item of list) {
      if (shown.length === MOST_ENTRIES || left <= 0) return [...shown, `[${list.length - shown.length} more]`];
      shown.push(part(item, depth + 1));
    }
    return shown;
  };

  const fields = (object: object, depth: number): object => {
    const all = Object.entries(object);
    const shown: [string, unknown][] = [];
    for (const [name, inner] of all) {
      if (shown.length === MOST_ENTRIES || left <= 0) {
        shown.push(["[more]", all.length - shown.length]);
        break;
      }
      left -= Math.min(name.length, MOST_NAME);
      const hidden = inner !== null && SECRET_NAME.test(name);
      shown.push([name.slice(0, MOST_NAME).toWellFormed(), hidden ? REDACTED : part(inner, depth + 1)]);
    }
    return Object.fromEntries(shown);
  };

  return part(value, 0);
}

const shortened = (text: string): string =>
  text.length <= MOST_TEXT
    ? text.toWellFormed()
    : `${text.slice(0, MOST_TEXT).toWellFormed()}... (${text.length} characters)`;
