// What a template costs to be parsed, told by one look over its text: parsing is not interrupted, and nobody is served meanwhile.

/** Tags, outputs and lines in them: 5,000 are parsed in 20 ms. */
const MOST_NODES = 5_000;
/** Characters in tags and outputs. 64 KiB of the slowest take 25 ms; 70,000 lines of `{% liquid %}` took 14 s. */
const MOST_CODE = 64 * 1024;
/** Of one output, tag, or line of one: the arguments of some tags are compared with each other, and names below names. */
const MOST_LINE = 8 * 1024;

/** What is too much in it, or undefined. */
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

/** Behind the tag that begins at `at`. What never ends is all of the rest. */
function endOfTag(source: string, at: number): number {
  const end = source.indexOf("%}", at + 2);
  return end === -1 ? source.length : end + 2;
}

const RAW = /^\{%-?\s*raw\b/;

/** Nothing is parsed between raw and endraw. */
function endOfRaw(source: string, at: number): number {
  const found = /\{%-?\s*endraw\b/g;
  found.lastIndex = at;
  return found.exec(source)?.index ?? source.length;
}

/** As liquidjs: quotes count in outputs and not in tags. */
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
