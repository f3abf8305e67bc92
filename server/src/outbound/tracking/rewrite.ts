import { Tokenizer } from "htmlparser2";

/** Links of one message that are rewritten. What has more is no message that somebody reads. */
const MOST_LINKS = 1_000;
/** Characters of a host, with a user before it. No name has more than 253, and to read 260 hosts of a thousand `ä.` took 70 ms. */
const MOST_HOST = 300;
/** Characters of an address. Longer ones stay as they are: the sealed link would pass what servers on the way take. */
const MOST_TARGET = 2_000;

interface Piece {
  start: number;
  end: number;
  text: string;
}

/**
 * The HTML with links and a pixel of our own: `linkTo` gives the address instead of an http or https target, or undefined
 * to leave it; `pixel` stands before the end of the body. A tokenizer finds the places, and every other byte stays as it was:
 * what a mail program makes of broken HTML is its own affair.
 */
export function rewritten(html: string, linkTo: (target: string) => string | undefined, pixel?: string): string {
  const { targets, end } = placesIn(html);
  const pieces: Piece[] = [];
  for (const { start, end: stop, target } of targets) {
    const text = isTracked(target) ? linkTo(target.trim()) : undefined;
    if (text !== undefined) pieces.push({ start, end: stop, text });
  }
  if (pixel !== undefined) pieces.push({ start: end, end, text: pixel });
  let out = "";
  let at = 0;
  for (const { start, end: stop, text } of pieces.sort((a, b) => a.start - b.start)) {
    out += html.slice(at, start) + text;
    at = stop;
  }
  return out + html.slice(at);
}

/** Only the web: mailto, tel, anchors, addresses without a scheme and those that can't be read stay. */
const isTracked = (target: string): boolean =>
  target.length <= MOST_TARGET && WEB.test(target) && URL.canParse(target.trim());
const WEB = new RegExp(`^\\s*https?://[/\\\\\\s]*[^/?#\\\\\\s][^/?#\\\\]{0,${MOST_HOST - 1}}(?:[/?#\\\\]|$)`, "i");

/** Where the values of href in `a` and `area` stand, with what they mean, and where the body ends. */
function placesIn(html: string): { targets: { start: number; end: number; target: string }[]; end: number } {
  const targets: { start: number; end: number; target: string }[] = [];
  let bodyEnd = html.length;
  let inLink = false;
  /** Where the value begins, while it is one of a href. */
  let begun: number | undefined;
  let value = "";
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        inLink = /^(?:a|area)$/i.test(html.slice(start, end));
      },
      onclosetag(start, end) {
        if (/^body$/i.test(html.slice(start, end))) bodyEnd = html.lastIndexOf("<", start);
      },
      onattribname(start, end) {
        begun =
          inLink && targets.length < MOST_LINKS && /^href$/i.test(html.slice(start, end))
            ? valueFrom(html, end)
            : undefined;
        value = "";
      },
      onattribdata(start, end) {
        if (begun !== undefined) value += html.slice(start, end);
      },
      onattribentity(codepoint) {
        if (begun !== undefined) value += String.fromCodePoint(codepoint);
      },
      onattribend(quote, end) {
        // A quoted value ends before its quote; 0 and 1 are "no value" and "without quotes".
        if (begun !== undefined && quote !== 0)
          targets.push({ start: begun, end: quote === 1 ? end : end - 1, target: value });
        begun = undefined;
      },
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onprocessinginstruction: ignore,
      onselfclosingtag: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return { targets, end: bodyEnd };
}

function valueFrom(html: string, nameEnd: number): number {
  const before = /\s*=\s*["']?/y;
  before.lastIndex = nameEnd;
  return nameEnd + (before.exec(html)?.[0].length ?? 0);
}
