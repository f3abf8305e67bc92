import { scan } from "../../content/liquid/scan.ts";
import { type Advice, lineAt } from "./advice.ts";
import { contrastAdvice } from "./contrast.ts";
import { imageAdvice, linkAdvice } from "./links.ts";

/** What an author wrote. */
interface Written {
  subject: string;
  preheader: string;
  body: string;
  plaintext: string;
}
/** How it comes out for somebody. */
interface Rendered {
  subject: string;
  body: string;
  plaintext: string;
}

/** Gmail shows so much of an email's HTML, and hides the rest behind a link. */
export const CLIPPED_BYTES = 102 * 1_024;
const HEAVY = 0.8;
/** Phones show about so many characters of a subject. */
const SUBJECT_LONG = 70;

/** Everything to consider before this email is sent, in the order of its lines. */
export function adviceFor(written: Written, rendered: Rendered | undefined): Advice[] {
  const { body, preheader } = written;
  const ofBody = [...linkAdvice(body), ...imageAdvice(body), ...contrastAdvice(body), ...defaultAdvice("body", body)];
  return [
    ...(rendered ? renderedAdvice(written, rendered) : []),
    ...(preheader.trim() === "" ? [{ code: "no_preheader", part: "preheader" } as const] : []),
    ...defaultAdvice("subject", written.subject),
    ...defaultAdvice("preheader", preheader),
    ...ofBody.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    ...defaultAdvice("plaintext", written.plaintext),
  ];
}

function renderedAdvice(written: Written, rendered: Rendered): Advice[] {
  const bytes = weightOf(rendered.body);
  const found: Advice[] = [];
  if (bytes > CLIPPED_BYTES * HEAVY)
    found.push({ code: bytes > CLIPPED_BYTES ? "clipped" : "heavy", part: "body", values: { bytes } });
  if (rendered.subject.length > SUBJECT_LONG)
    found.push({ code: "subject_long", part: "subject", values: { count: rendered.subject.length } });
  if (rendered.plaintext.trim() === "") found.push({ code: "no_text", part: "plaintext" });
  if (!unsubscribes(written, rendered)) found.push({ code: "no_unsubscribe", part: "body" });
  return found;
}

/** The bytes of an email's HTML. */
export const weightOf = (html: string): number => new TextEncoder().encode(html).length;

const EMPTY_LINK = /href\s*=\s*["']#["']/gi;
const LINKS = /\{\{-?\s*(?:unsubscribe_url|preferences_url)\b/;

/** Whether a reader can unsubscribe. A preview has `#` where the link of the person would be, also in the layout and the snippets. */
function unsubscribes({ body }: Written, { body: html }: Rendered): boolean {
  if (LINKS.test(body)) return true;
  return (html.match(EMPTY_LINK)?.length ?? 0) > (body.match(EMPTY_LINK)?.length ?? 0);
}

/** Attributes of the person that are shown without a word for those who don't have them. */
function defaultAdvice(part: Advice["part"], text: string): Advice[] {
  const seen = new Set<string>();
  return scan(text).blocks.flatMap(({ kind, from, to }): Advice[] => {
    const inside = text.slice(from, to);
    const name = /^\{\{-?\s*(person\.[\w.-]+)/.exec(inside)?.[1];
    if (kind !== "output" || !name || /\|\s*default\b/.test(inside) || seen.has(name)) return [];
    seen.add(name);
    return [{ code: "no_default", part, line: lineAt(text, from), values: { name } }];
  });
}
