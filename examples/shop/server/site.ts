import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const configFile = fileURLToPath(new URL("../vite.config.ts", import.meta.url));
const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** Builds the web pages, or those of `root`: it takes less than a second. */
export async function buildSite(outDir = DIST, root?: string): Promise<string> {
  await build({ configFile, logLevel: "warn", build: { outDir, emptyOutDir: true }, ...(root && { root }) });
  return outDir;
}

/** Nothing inline, and nothing from other hosts except the service: this is all that @tidings/react needs. */
export const policy = (tidings: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ${tidings}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Answers with a built file; every path without an extension is a page of the application. */
export async function answerFile(response: ServerResponse, folder: string, path: string): Promise<void> {
  const file = extname(path) ? join(folder, normalize(join("/", path))) : join(folder, "index.html");
  try {
    const content = await readFile(file);
    response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
}
