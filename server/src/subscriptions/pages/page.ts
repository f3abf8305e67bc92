import { createHash } from "node:crypto";

// The HTML of the public pages: one column, no script, no image, nothing from elsewhere.

const STYLE = `:root{color-scheme:light dark;background:Canvas;color:CanvasText;--line:#767676;--accent:#0b57d0;--on:#fff}
@media(prefers-color-scheme:dark){:root{--line:#8f8f8f;--accent:#a8c7fa;--on:#062e6f}}
*{box-sizing:border-box}body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:0 auto;padding:2rem 1rem 4rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}fieldset{border:1px solid var(--line);border-radius:.5rem;margin:1.5rem 0;padding:.5rem 1rem}
legend{font-weight:600;padding:0 .25rem}label{display:flex;gap:.75rem;padding:.625rem 0;align-items:flex-start}
input[type=checkbox]{width:1.25rem;height:1.25rem;flex:none;margin:.125rem 0 0;accent-color:var(--accent)}small{display:block;font-size:.875rem}
button{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1.25rem;border-radius:.5rem;border:1px solid var(--accent);background:var(--accent);color:var(--on);cursor:pointer}
button.quiet{background:transparent;color:inherit;border-color:var(--line);font-weight:400}
a{color:var(--accent)}form+form{margin-top:1rem}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[role=status]{border-left:4px solid var(--accent);padding:.5rem 1rem;margin:0 0 1.5rem}footer{margin-top:2.5rem;font-size:.875rem}`;

const styleHash = createHash("sha256").update(STYLE).digest("base64");

/** The headers of each page: no scripts, frames, indexing, referrers or copies. */
export const HEADERS = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex, nofollow",
};

/** Text that is safe in HTML, as `html` makes it. */
export interface Html {
  readonly text: string;
}

const MAP: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
type Value = string | Html | Html[] | false | undefined;

const shown = (value: Value): string => {
  if (value === undefined || value === false) return "";
  if (Array.isArray(value)) return value.map(shown).join("");
  return typeof value === "string" ? value.replace(/[&<>"']/g, (found) => MAP[found] as string) : value.text;
};

/** html`<p>${text}</p>`: values are escaped, unless `html` made them. */
export const html = (strings: TemplateStringsArray, ...values: Value[]): Html => ({
  text: strings.reduce((text, part, i) => text + shown(values[i - 1]) + part),
});

/** A whole page. */
export const document = (title: string, body: Html): string =>
  html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${{ text: STYLE }}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`
    .text;

/** A page with one sentence, for a link that leads nowhere any more. */
export const notice = (title: string, sentence: string): string => document(title, html`<p>${sentence}</p>`);
