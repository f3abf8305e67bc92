import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** A fenced block of a page. */
export interface Snippet {
  /** `docs/api.md:12`, the line of its fence. */
  at: string;
  language: string;
  /** The text after the language: how the block is tested, or `not run: ` and the reason. */
  info: string;
  code: string;
}

/** All pages that newcomers may copy from. */
const pages = (): string[] => [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" }).map((file) => `docs/${file}`),
  ...["sdk", "examples"].flatMap((folder) => readdirSync(root + folder).map((name) => `${folder}/${name}/README.md`)),
];

/** Returns all fenced blocks of all pages. */
export function snippets(): Snippet[] {
  const found: Snippet[] = [];
  for (const page of pages().filter((name) => name.endsWith(".md"))) {
    const text = read(page);
    for (const { index, 1: head = "", 2: code = "" } of text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)) {
      const [language = "", ...info] = head.trim().split(" ");
      const line = text.slice(0, index).split("\n").length;
      found.push({ at: `${page}:${line}`, language, info: info.join(" "), code });
    }
  }
  return found;
}

function read(page: string): string {
  try {
    return readFileSync(root + page, "utf8");
  } catch {
    // Some folders of examples and packages have no page.
    return "";
  }
}
