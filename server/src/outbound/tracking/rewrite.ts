import { Tokenizer } from "htmlparser2";

/** The most links of one message that are rewritten. Nobody reads a message with more. */
const MOST_LINKS = 1_000;
/** Longest host in characters, with the user before it. No name has more than 253; reading 260 hosts of a thousand `ä.` took 70 ms. */
const MOST_HOST = 300;
/** Longest address in characters. Longer ones stay as they are: servers on the way would not accept the sealed link. */
const MOST_TARGET = 2_000;

/** A range of the HTML with the text that replaces it. */
interface Replacement {
  start: number;
  end: number;
  text: string;
}

/**
 * Returns the HTML with tracked links and a pixel. A tokenizer finds the positions, and every other byte stays as it was, so
 * that broken HTML looks the same in a mail program.
 * @param linkTo returns the address that replaces an http or https target; undefined to keep it
 * @param pixel inserted before the end of the body
 */
export function rewritten(html: string, linkTo: (target: string) => string | undefined, pixel?: string): string {
  const { targets, end } = positionsIn(html);
  const replacements: Replacement[] = [];
  for (const { start, end: stop, target } of targets) {
    const text = isTracked(target) ? linkTo(target.trim()) : undefined;
    if (text !== undefined) replacements.push({ start, end: stop, text });
  }
  if (pixel !== undefined) replacements.push({ start: end, end, text: pixel });
  let out = "";
  let at = 0;
  for (const { start, end: stop, text } of replacements.sort((a, b) => a.start - b.start)) {
    out += html.slice(at, start) + text;
    at = stop;
  }
  return out + html.slice(at);
}

/** Whether a target is on the web. Others stay: mailto, tel, anchors, addresses without a scheme and those that can't be parsed. */
const isTracked = (target: string): boolean =>
  target.length <= MOST_TARGET && WEB.test(target) && URL.canParse(target.trim());
const WEB = new RegExp(`^\\s*https?://[/\\\\\\s]*[^/?#\\\\\\s][^/?#\\\\]{0,${MOST_HOST - 1}}(?:[/?#\\\\]|$)`, "i");

/** Finds the href values of `a` and `area` with their decoded targets, and the end of the body. */
function positionsIn(html: string): { targets: { start: number; end: number; target: string }[]; end: number } {
  const targets: { start: number; end: number; target: string }[] = [];
  let bodyEnd = html.length;
  let inLink = false;
  /** Start of the value, while the tokenizer is in a href. */
  let valueStart: number | undefined;
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
        valueStart =
          inLink && targets.length < MOST_LINKS && /^href$/i.test(html.slice(start, end))
            ? valueFrom(html, end)
            : undefined;
        value = "";
      },
      onattribdata(start, end) {
        if (valueStart !== undefined) value += html.slice(start, end);
      },
      onattribentity(codepoint) {
        if (valueStart !== undefined) value += String.fromCodePoint(codepoint);
      },
      onattribend(quote, end) {
        // A quoted value ends before its quote; 0 and 1 are "no value" and "without quotes".
        if (valueStart !== undefined && quote !== 0)
          targets.push({ start: valueStart, end: quote === 1 ? end : end - 1, target: value });
        valueStart = undefined;
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
