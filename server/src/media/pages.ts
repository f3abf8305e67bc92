import type { App } from "../platform/http/index.ts";
import { matches, Problem } from "../platform/http/index.ts";
import { typeOf } from "./files/files.ts";
import type { MediaGround } from "./ground.ts";

/** What is at an address never changes. A page that opens an image by itself may do nothing; every page may show it. */
const HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

const SCHEMA = {
  summary: "Load an image of a media library",
  description: "Needs no key: messages contain this address.",
  operationId: "getImageFile",
  tags: ["media"],
  security: [],
  response: {
    200: {
      description: "The image.",
      content: Object.fromEntries(
        ["image/png", "image/jpeg", "image/gif", "image/webp"].map((type) => [
          type,
          { schema: { type: "string", format: "binary" } },
        ]),
      ),
    },
    304: { description: "The client has it.", type: "null" },
  },
};

/** The addresses of images. They ask no database, so that messages show their images also while it is away. */
export function pages(app: App, { media }: MediaGround): void {
  app.get("/media/:file", { schema: SCHEMA }, async (request, reply) => {
    const { file } = request.params as { file: string };
    const type = typeOf(file);
    const etag = `"${file}"`;
    // A client that knows the name of a file and its ETag has the file: nothing else has this ETag.
    if (type && matches(request.headers["if-none-match"], etag))
      return reply
        .code(304)
        .headers({ ...HEADERS, etag })
        .send();
    const found = type && (await media.read(file));
    if (!type || !found) throw new Problem("not_found", "There is no image at this address, or it was removed.");
    return reply
      .headers({ ...HEADERS, etag, "content-length": found.size })
      .type(type)
      .send(found.bytes);
  });
}
