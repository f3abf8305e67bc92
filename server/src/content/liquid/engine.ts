import { type Context, Drop, Liquid, filters as library } from "liquidjs";
import { OPERATIONS, sumOf } from "./arithmetic.ts";

// The allowed tags and filters, so that additions of a later version of the library stay out. Left out on purpose: include,
// render, layout and block (they read templates: `{% include '.env' %}` returned the file), increment and decrement (they
// write into the scope that all parts share), and the *_exp filters (they parse data as an expression).
const TAGS = `if unless case for tablerow break continue cycle assign capture comment raw echo liquid #`.split(" ");

const FILTERS =
  `default raw json escape xml_escape escape_once newline_to_br strip_html url_encode url_decode cgi_escape uri_escape slugify
  abs at_least at_most ceil divided_by floor minus plus modulo times round
  join last first reverse sort sort_natural size map sum compact concat slice where reject group_by has find find_index uniq
  date date_to_xmlschema date_to_rfc822 date_to_string date_to_long_string
  append prepend strip lstrip rstrip downcase upcase capitalize remove remove_first remove_last replace replace_first replace_last
  split strip_newlines squish normalize_whitespace truncate truncatewords number_of_words array_to_sentence_string
  base64_encode base64_decode sha256 hmac_sha256`.split(/\s+/);

/** Filters whose time and output are linear in an input that `memoryLimit` has counted: safe on the event loop. */
export const LINEAR: ReadonlySet<string> = new Set(
  `default raw escape xml_escape escape_once newline_to_br url_encode cgi_escape abs at_least at_most ceil divided_by floor minus
  plus modulo times round size first last date append prepend strip lstrip rstrip downcase upcase capitalize strip_newlines
  truncate`.split(/\s+/),
);

/** Tags without repetition: each node of the template runs at most once. */
export const STRAIGHT: ReadonlySet<string> = new Set(
  "if unless case assign capture comment raw echo liquid #".split(" "),
);

/** The most characters of one template. */
export const MOST_SOURCE = 512 * 1024;
/** The most characters of one rendered part. */
export const MOST_OUTPUT = 512 * 1024;

export interface Limits {
  renderMs: number;
  /** Characters that filters and outputs may touch. */
  memory: number;
}
/** The limits on the event loop. A template that exceeds them is rendered again in a thread, with higher limits. */
export const INLINE: Limits = { renderMs: 30, memory: 256 * 1024 };
/**
 * The limits in a thread, which is killed soon after them (see threads.ts), because two filters of the library ignore its time
 * limit.
 */
export const THREAD: Limits = { renderMs: 400, memory: 16 * 1024 * 1024 };

type Impl = (this: { context: Context }, value: unknown, ...args: unknown[]) => unknown;
const impl = library as unknown as Record<string, Impl>;
const MAP: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" };

/**
 * The text of a value in an output: an object of the data as JSON, and nothing for the language's own values, such as `nil` and
 * `forloop`.
 */
export function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(shown).join("");
  if (value instanceof Drop) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function counted(context: Context, value: unknown): string {
  const text = shown(value);
  context.memoryLimit.use(text.length);
  return text;
}

export const escaped = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (found) => MAP[found] as string) : text;
/** Like the library's escape_once: an existing entity stays as it is. */
const escapedOnce = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/&(?!(?:amp|lt|gt|#34|#39);)|[<>"']/g, (found) => MAP[found] as string) : text;

/** A value as the library's arithmetic takes it: what is no number is 0. */
const toNumber = (value: unknown): number => (library.plus as (a: unknown, b: unknown) => number)(value, 0);
/** A result as it is shown. Where there is none, as of a division by 0, nothing is shown, or what `default` says, as for a missing attribute. */
const shownResult = (result: number): number | null => (Number.isFinite(result) ? result : null);

function engine(html: boolean): Liquid {
  const liquid = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    parseLimit: MOST_SOURCE,
    timezoneOffset: "UTC",
    locale: "en-US",
    // Also counts plain text, which the library does not: a capture that doubles itself meets the memory limit.
    outputEscape: function (this: { context: Context }, value: unknown) {
      const text = counted(this.context, value);
      return html ? escaped(text) : text;
    } as never,
  });
  for (const name of Object.keys(liquid.tags)) if (!TAGS.includes(name)) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) if (!FILTERS.includes(name)) delete liquid.filters[name];
  // The library does not count the input of these two.
  for (const name of ["url_encode", "cgi_escape"]) {
    liquid.registerFilter(name, function (value: unknown) {
      return (impl[name] as Impl).call(this as never, counted(this.context, value));
    });
  }
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    liquid.registerFilter(name, (value: unknown, by: unknown, whole?: unknown) => {
      const result = operation(toNumber(value), toNumber(by));
      return shownResult(whole ? Math.floor(result) : result);
    });
  }
  // The library runs the generators of filters, such as its own `map`.
  liquid.registerFilter("sum", function* (list: unknown, property?: unknown): Generator<unknown, unknown, unknown> {
    const [own, of] = property ? [impl.map, property] : [impl.concat, []];
    return shownResult(sumOf((yield (own as Impl).call(this as never, list, of)) as unknown[]));
  });
  if (html) {
    // Their result is HTML: where one of them is the last filter, it must not be escaped a second time.
    const raw = (handler: (text: string) => string) => ({
      raw: true,
      handler(this: { context: Context }, value: unknown) {
        return handler(counted(this.context, value));
      },
    });
    liquid.registerFilter("escape", raw(escaped) as never);
    liquid.registerFilter("xml_escape", raw(escaped) as never);
    liquid.registerFilter("escape_once", raw(escapedOnce) as never);
    liquid.registerFilter("newline_to_br", raw((text) => escapedOnce(text).replace(/\r?\n/g, "<br />\n")) as never);
  }
  return liquid;
}

const text = engine(false);
const html = engine(true);

/** The engine of a part: one escapes for HTML, the other shows values as they are. */
export const engineOf = (isHtml: boolean): Liquid => (isHtml ? html : text);
