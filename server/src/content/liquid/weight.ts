// Estimates by one pass over a template's text what parsing it would cost: parsing can't be interrupted, and blocks every request. And what its
// parsed form takes.

/** Tags, outputs and lines in them: 5,000 are parsed in 20 ms. */
const MOST_NODES = 5_000;
/** Characters in tags and outputs. 64 KiB of the slowest take 25 ms; 70,000 lines of `{% liquid %}` took 14 s. */
const MOST_CODE = 64 * 1024;
/** Characters in one line of a tag or an output: the parser compares some tags' arguments with each other, and nested names too. */
const MOST_LINE = 8 * 1024;

/**
 * Bytes of memory that the parsed form takes, within a factor of two: a tag or an output takes some 1,600, and a part without much in it 2,500. So
 * of 4 million characters those with most names would take 1.2 GB.
 */
export const bytesOf = (source: string): number => 500 + source.length + 2_000 * (source.split(OPENING).length - 1);

const OPENING = /\{[{%]/;

/** Why a template is too heavy to parse; undefined where it is not. */
export function tooHeavy(source: string): string | undefined {
  let nodes = 0;
  let code = 0;
  for (let at = source.indexOf("{"); at !== -1; at = source.indexOf("{", at)) {
    const next = source[at + 1];
    if (next !== "{" && next !== "%") {
      at++;
      continue;
    }
    const end = next === "%" ? endOfTag(source, at) : endOfOutput(source, at);
    code += end - at;
    if (code > MOST_CODE) return `has more than ${MOST_CODE} characters in tags and outputs`;
    for (const line of source.slice(at, end).split("\n")) {
      if (++nodes > MOST_NODES) return `has more than ${MOST_NODES} tags, outputs and lines in them`;
      if (line.length > MOST_LINE) return `has a tag or an output with a line longer than ${MOST_LINE} characters`;
    }
    at = RAW.test(source.slice(at, at + 40)) ? endOfRaw(source, end) : end;
  }
  return undefined;
}

/** The position after the tag that begins at `at`. A tag without an end takes all the rest. */
function endOfTag(source: string, at: number): number {
  const end = source.indexOf("%}", at + 2);
  return end === -1 ? source.length : end + 2;
}

const RAW = /^\{%-?\s*raw\b/;

/** The position of `endraw`: nothing is parsed between raw and endraw. */
function endOfRaw(source: string, at: number): number {
  const found = /\{%-?\s*endraw\b/g;
  found.lastIndex = at;
  return found.exec(source)?.index ?? source.length;
}

/** The position after the output that begins at `at`. Like liquidjs, quotes count in outputs and not in tags. */
function endOfOutput(source: string, at: number): number {
  let quote = "";
  for (let i = at + 2; i < source.length; i++) {
    const char = source[i] as string;
    if (quote !== "") {
      if (char === "\\") i++;
      else if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === "}" && source[i + 1] === "}") return i + 2;
  }
  return source.length;
}
