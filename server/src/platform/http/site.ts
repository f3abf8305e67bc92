import { randomBytes } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "./app.ts";
import { Problem } from "./problem.ts";

/** A single-page application that was built into a folder. */
export interface Site {
  /** Contains index.html and assets/, whose names contain a hash of their contents. Beside `x.js` may be `x.js.br` and `x.js.gz`. */
  folder: string;
  /** The routes that answer with index.html, such as `/sign-in` and `/w/*`. */
  pages: readonly string[];
  /** The page while the folder has no build. */
  missing: string;
}

/** The word in index.html that each answer replaces by its own nonce. */
const NONCE = "NONCE-OF-THIS-ANSWER";
const TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const hidden = { schema: { hide: true } };

interface Built {
  /** When it was built, in milliseconds. */
  at: number;
  index: string;
  assets: Map<string, Buffer>;
}

/**
 * Only scripts with the nonce of this answer run, and those that they import. `img-src` allows the addresses of customers' images;
 * a frame may only show a page of this service, which has a policy of its own (`mountFrames`).
 */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const ALONE = {
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};

/** Mounts the pages of a site and its assets, which stay in memory: 2 MB. A build that appears while the service runs is read at the next page. */
export function mountSite(app: App, site: Site): void {
  let built: Built | undefined;
  const load = async () => {
    const at = (await stat(join(site.folder, "index.html")).catch(() => undefined))?.mtimeMs;
    if (at !== undefined && at !== built?.at) built = (await read(site.folder, at)) ?? built;
    return built;
  };

  const page = async (_request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString("base64");
    const index = (await load())?.index;
    reply.headers(ALONE).header("content-security-policy", policy(nonce)).type("text/html; charset=utf-8");
    return reply.code(index === undefined ? 503 : 200).send((index ?? site.missing).replaceAll(NONCE, nonce));
  };
  for (const path of site.pages) app.get(path, hidden, page);

  app.get("/assets/*", hidden, async (request, reply) => {
    const name = (request.params as { "*": string })["*"];
    const assets = (await load())?.assets;
    const encoding = ENCODINGS.find(([word, ending]) => accepts(request, word) && assets?.has(name + ending));
    const content = assets?.get(name + (encoding?.[1] ?? ""));
    const type = TYPES[extname(name)];
    if (!content || !type)
      throw new Problem("not_found", "There is no such file in this version. Load the page again.");
    if (encoding) reply.header("content-encoding", encoding[0]);
    return reply
      .headers({ "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" })
      .type(type)
      .send(content);
  });
}

const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

const accepts = (request: FastifyRequest, encoding: string): boolean =>
  String(request.headers["accept-encoding"] ?? "")
    .split(",")
    .some((part) => part.trim() === encoding);

async function read(folder: string, at: number): Promise<Built | undefined> {
  try {
    const index = await readFile(join(folder, "index.html"), "utf8");
    const names = await readdir(join(folder, "assets"));
    const contents = await Promise.all(names.map((name) => readFile(join(folder, "assets", name))));
    return { at, index, assets: new Map(names.map((name, i) => [name, contents[i] as Buffer])) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The most bytes of one document in a frame. */
const LARGEST_DOCUMENT = 4 * 1024 * 1024;
/** No script, no form, no link, no origin; only styles, fonts and images. */
const FRAME =
  "sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; font-src https: data:; frame-ancestors 'self'";

/**
 * Mounts POST /frame, which answers with the HTML of its form, under a policy that lets it do nothing. A page needs it to show HTML that
 * others wrote: a frame from `srcdoc` or a blob would have the policy of the page, which allows no styles of others. The form has
 * `enctype="text/plain"` and one field, `html`.
 */
export function mountFrames(app: App): void {
  app.register(async (scope: App) => {
    scope.addContentTypeParser(
      "text/plain",
      { parseAs: "string", bodyLimit: LARGEST_DOCUMENT },
      (_request, body, done) => done(null, body),
    );
    scope.post("/frame", { ...hidden, bodyLimit: LARGEST_DOCUMENT }, async (request, reply) => {
      // Another site could otherwise show its own text at this address.
      if (!fromOwnPage(request) || typeof request.body !== "string")
        throw new Problem("invalid_request", "Only pages of this service show documents in a frame.");
      return reply
        .headers({ "content-security-policy": FRAME, "referrer-policy": "no-referrer" })
        .type("text/html; charset=utf-8")
        .send(request.body.replace(/^html=/, ""));
    });
  });
}

/** Browsers send Sec-Fetch-Site over TLS and on the own machine, and Origin with each form. No page can choose either. */
function fromOwnPage({ headers }: FastifyRequest): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (site !== undefined) return site === "same-origin";
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
