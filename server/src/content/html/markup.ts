import { randomUUID } from "node:crypto";

/** MJML that can't be read: what is wrong, and where in the text. */
export class MarkupError extends Error {
  readonly at: number;
  constructor(what: string, at: number) {
    super(what);
    this.at = at;
  }
}

/** MJML with a word in place of each piece of Liquid, so that the compiler neither reads nor changes it. */
export interface Masked {
  text: string;
  /** Begins each of those words; stands nowhere else in the text. */
  mark: string;
  pieces: string[];
  /** Liquid in front of and behind the document. */
  before: string;
  after: string;
  /** Pairs of places, in `text` and in the source, in order. */
  places: [number, number][];
}

const BLOCKS = `mj-accordion mj-button mj-carousel mj-divider mj-image mj-navbar mj-raw mj-social mj-spacer mj-table mj-text`;
/** Which elements stand in which: the compiler takes any and writes broken mail. */
const CHILDREN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    mjml: "mj-head mj-body",
    "mj-head": "mj-attributes mj-breakpoint mj-font mj-preview mj-raw mj-style mj-title",
    "mj-body": "mj-hero mj-raw mj-section mj-wrapper",
    "mj-wrapper": "mj-hero mj-raw mj-section",
    "mj-section": "mj-column mj-group mj-raw",
    "mj-group": "mj-column mj-raw",
    "mj-column": BLOCKS,
    "mj-hero": BLOCKS,
    "mj-accordion": "mj-accordion-element",
    "mj-accordion-element": "mj-accordion-text mj-accordion-title",
    "mj-carousel": "mj-carousel-image",
    "mj-navbar": "mj-navbar-link",
    "mj-social": "mj-social-element",
  }).map(([name, children]): [string, Set<string>] => [name, new Set(children.split(" "))]),
);
const KNOWN = new Set(["mjml", ...[...CHILDREN.values()].flatMap((children) => [...children])]);
/** Elements of MJML that have text and HTML in them: there a blank is a blank. */
const WITH_TEXT = new Set(
  "mj-text mj-table mj-button mj-raw mj-social-element mj-navbar-link mj-accordion-title mj-accordion-text".split(" "),
);
/** Here Liquid may stand between elements. */
const OPEN = new Set("mj-head mj-body mj-wrapper mj-section mj-group mj-column mj-hero".split(" "));
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/** The compiler recurses: some thousand levels end it for good. */
const MOST_DEPTH = 100;
/** Each makes a hundred times its length: with defaults of 100 KB for all, 2,000 of them made 200 MB in 6 s. */
const MOST_ELEMENTS = 2_000;
const MOST_VALUE = 4_000;

/** Checks the structure of an MJML document and masks its Liquid. @throws MarkupError */
export function maskLiquid(source: string): Masked {
  return new Reader(source).read();
}

class Reader {
  private readonly source: string;
  private readonly open: { name: string; at: number }[] = [];
  private readonly out: Masked;
  private elements = 0;

  constructor(source: string) {
    this.source = source;
    // Random, so that no author can write one of these words.
    const mark = `tid${randomUUID().replaceAll(/[^a-f]/g, "")}q`;
    this.out = { text: "", mark, pieces: [], before: "", after: "", places: [] };
  }

  read(): Masked {
    const special = /<!--|<|\{\{|\{%/g;
    let at = 0;
    for (let found = special.exec(this.source); found; found = special.exec(this.source)) {
      this.text(at, found.index);
      at = this.piece(found[0], found.index);
      special.lastIndex = at;
    }
    this.text(at, this.source.length);
    const unclosed = this.open.at(-1);
    if (unclosed) throw new MarkupError(`<${unclosed.name}> is never closed`, unclosed.at);
    if (this.elements === 0) throw new MarkupError("has no <mjml> element", 0);
    return this.out;
  }

  private piece(start: string, at: number): number {
    if (start === "<!--") return this.comment(at);
    if (start === "<") return this.source[at + 1] === "/" ? this.closing(at) : this.opening(at);
    return this.liquid(at);
  }

  private emit(text: string, at: number): void {
    this.out.places.push([this.out.text.length, at]);
    this.out.text += text;
  }

  private inside(): string | undefined {
    return this.open.at(-1)?.name;
  }

  private text(from: number, to: number): void {
    if (from === to) return;
    const text = this.source.slice(from, to);
    const inside = this.inside();
    const blank = text.trim() === "";
    if (inside !== undefined && (WITH_TEXT.has(inside) || !inside.startsWith("mj"))) {
      // The compiler leaves out a line break between inline elements, and two words become one.
      this.emit(blank && text !== " " ? this.kept(text) : text, from);
      return;
    }
    if (inside !== undefined && !CHILDREN.has(inside) && !blank) {
      this.emit(text, from);
      return;
    }
    // Between elements the compiler does not take each blank, such as CRLF, and none shows. A single character there is a slip,
    // as in `</mj-column>>`, which npm's mjml leaves out, too.
    if (text.trim().length <= 1) return;
    const at = from + text.length - text.trimStart().length;
    throw new MarkupError("has text between elements: put it into <mj-text>", at);
  }

  /** A word in place of a text that comes out as it is. */
  private kept(text: string): string {
    this.out.pieces.push(text);
    return `${this.out.mark}${this.out.pieces.length - 1}x`;
  }

  /** Masks the Liquid at `at` and gives where it ends. */
  private word(at: number): [string, number] {
    const end = endOfLiquid(this.source, at);
    if (end === -1) throw new MarkupError("has Liquid that is never closed", at);
    return [this.kept(this.source.slice(at, end)), end];
  }

  private liquid(at: number): number {
    const inside = this.inside();
    const [word, end] = this.word(at);
    if (inside === undefined) {
      if (this.elements === 0) this.out.before += this.source.slice(at, end);
      else this.out.after += this.source.slice(at, end);
    } else if (OPEN.has(inside)) this.emit(`<mj-raw>${word}</mj-raw>`, at);
    else if (CHILDREN.has(inside)) throw new MarkupError(`has Liquid between the elements of <${inside}>`, at);
    else this.emit(word, at);
    return end;
  }

  private comment(at: number): number {
    const end = this.source.indexOf("-->", at + 4);
    if (end === -1) throw new MarkupError("has a comment that is never closed", at);
    this.emit(this.masked(at, end + 3), at);
    return end + 3;
  }

  private masked(from: number, to: number): string {
    let text = "";
    let at = from;
    for (;;) {
      const found = this.source.slice(at, to).search(/\{[{%]/);
      if (found === -1) return text + this.source.slice(at, to);
      const next = at + found;
      const [word, end] = this.word(next);
      if (end > to) throw new MarkupError("has Liquid that is never closed", next);
      text += this.source.slice(at, next) + word;
      at = end;
    }
  }

  private closing(at: number): number {
    const end = this.source.indexOf(">", at);
    const name = this.source
      .slice(at + 2, end === -1 ? at + 40 : end)
      .trim()
      .toLowerCase();
    const opened = this.open.pop();
    if (!opened) throw new MarkupError(`</${name}> closes nothing`, at);
    if (end === -1 || opened.name !== name) throw new MarkupError(`has </${name}> where </${opened.name}> belongs`, at);
    if (name === "mj-raw" && this.inside() === "mj-wrapper") this.emit(this.kept(OUTLOOK), at);
    this.emit(`</${name}>`, at);
    return end + 1;
  }

  private opening(at: number): number {
    const name = /^[A-Za-z][\w:-]*/.exec(this.source.slice(at + 1, at + 60))?.[0].toLowerCase();
    if (name === undefined) throw new MarkupError("has a < that begins no element: write &lt;", at);
    this.place(name, at);
    const end = this.endOfTag(at + 1 + name.length);
    // In lower case, as the compiler knows the elements of HTML.
    this.emit(`<${name}`, at);
    const attributes = this.masked(at + 1 + name.length, end);
    this.emit(name === "mj-style" ? attributes.replace(INLINE, " ") : attributes, at + 1 + name.length);
    if (this.source[end - 2] !== "/" && !VOID.has(name)) {
      if (name === "mj-raw" && this.inside() === "mj-wrapper") this.emit(this.kept(END_OF_OUTLOOK), end - 1);
      this.open.push({ name, at });
      if (this.open.length > MOST_DEPTH) throw new MarkupError(`is nested deeper than ${MOST_DEPTH} elements`, at);
    }
    return end;
  }

  /** Whether an element may stand here. */
  private place(name: string, at: number): void {
    const inside = this.inside();
    if (name === "mj-include")
      throw new MarkupError('has <mj-include>, but no file is read: use {% snippet "name" %}', at);
    if (name.startsWith("mj") && ++this.elements > MOST_ELEMENTS)
      throw new MarkupError(`has more than ${MOST_ELEMENTS} elements of MJML`, at);
    if (inside === undefined) {
      if (name !== "mjml" || this.elements > 1) throw new MarkupError("must be one <mjml> element", at);
      return;
    }
    // Defaults are given under the names of the elements, and classes under any.
    if (inside === "mj-attributes" || inside === "mj-class") return;
    const allowed = CHILDREN.get(inside);
    if (allowed ? allowed.has(name) : !name.startsWith("mj")) return;
    if (!KNOWN.has(name)) throw new MarkupError(`has <${name}>, which is no element of MJML`, at);
    throw new MarkupError(`has <${name}> in <${inside}>, where it can't stand`, at);
  }

  /** Behind the > that ends a tag: not one in a value or in Liquid. */
  private endOfTag(from: number): number {
    let quote = "";
    let since = from;
    for (let i = from; i < this.source.length; i++) {
      const char = this.source[i] as string;
      if (char === "{" && /[{%]/.test(this.source[i + 1] ?? "")) {
        if (quote === "") throw new MarkupError("has Liquid beside the attributes: it can stand in a value only", i);
        const end = endOfLiquid(this.source, i);
        if (end === -1) throw new MarkupError("has Liquid that is never closed", i);
        i = end - 1;
      } else if (quote !== "") {
        if (char === quote) quote = "";
        else if (i - since > MOST_VALUE)
          throw new MarkupError(`has a value longer than ${MOST_VALUE} characters`, since);
      } else if (char === '"' || char === "'") {
        quote = char;
        since = i;
      } else if (char === ">") return i + 1;
      else if (char === "<") break;
    }
    throw new MarkupError("has a tag that is never closed", from);
  }
}

/** What asks for styles to be moved into elements, which the compiler does not do: they stay in the head, as others. */
const INLINE = /\sinline\s*=\s*(?:"[^"]*"|'[^']*')/i;
/** In a wrapper the compiler puts what is raw into what only Outlook reads. */
const OUTLOOK = "<!--[if mso | IE]>";
const END_OF_OUTLOOK = "<![endif]-->";
const COMMENT = /^\{%-?\s*comment\b/;
const END_OF_COMMENT = /\{%-?\s*endcomment\s*-?%\}/g;

/** Behind the Liquid that begins at `at`, -1 where it never ends. As liquidjs: quotes count in outputs and not in tags. */
function endOfLiquid(source: string, at: number): number {
  if (source[at + 1] === "%") {
    const end = source.indexOf("%}", at + 2);
    if (end === -1 || !COMMENT.test(source.slice(at, end))) return end === -1 ? -1 : end + 2;
    // A comment is one piece: what stands in it is no markup.
    END_OF_COMMENT.lastIndex = end + 2;
    return END_OF_COMMENT.test(source) ? END_OF_COMMENT.lastIndex : -1;
  }
  let quote = "";
  for (let i = at + 2; i < source.length; i++) {
    const char = source[i] as string;
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === "}" && source[i + 1] === "}") return i + 2;
  }
  return -1;
}
