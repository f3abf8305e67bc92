import type { FastifyReply, FastifyRequest } from "fastify";
import type { Ground } from "../../platform/ground.ts";
import type { App } from "../../platform/http/index.ts";
import { clickedIn, openedIn } from "./links.ts";
import { visitRecorder } from "./visits.ts";

/** 1 x 1, transparent. */
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex, nofollow",
};
const BROKEN_LINK = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>This link does not work</title><h1>This link does not work</h1><p>Open it again from the message that you received.</p></html>`;

const described = (summary: string, response: object) => ({ summary, tags: ["tracking"], security: [], response });
const PIXEL = described("The pixel of an email whose opens are tracked", {
  200: {
    description: "The picture is the same for every address.",
    content: { "image/gif": { schema: { type: "string", format: "binary" } } },
  },
});
const LINK = described("A link of an email whose clicks are tracked", {
  302: { description: "Redirects to the link's target.", type: "null" },
  404: { description: "The link is not one of ours.", content: { "text/html": { schema: { type: "string" } } } },
});

/** The routes of the pixel and the links of tracked emails. A visitor gets the picture, or is redirected, also where the visit is not recorded. */
export function tracking(app: App, ground: Ground): void {
  const visits = visitRecorder(ground);
  app.addHook("onClose", () => visits.flush());

  app.get("/t/o/:file", { schema: PIXEL }, async (request, reply) => {
    const { file } = request.params as { file: string };
    const opened = file.endsWith(".gif") ? openedIn(ground, file.slice(0, -4)) : undefined;
    if (opened) visits.add({ ...opened, ...visitOf(ground, request), target: "" });
    return reply.headers(HEADERS).type("image/gif").send(GIF);
  });

  // A wildcard, because a link with its target is longer than a parameter may be.
  app.get("/t/c/*", { schema: LINK }, async (request, reply): Promise<FastifyReply> => {
    const clicked = clickedIn(ground, (request.params as { "*": string })["*"]);
    if (!clicked) return reply.headers(HEADERS).code(404).type("text/html; charset=utf-8").send(BROKEN_LINK);
    visits.add({ ...clicked, ...visitOf(ground, request) });
    return reply.headers(HEADERS).redirect(clicked.target, 302);
  });
}

function visitOf(ground: Ground, { method, headers }: FastifyRequest) {
  const purpose = [headers["sec-purpose"], headers.purpose, headers["x-purpose"], headers["x-moz"]].flat().join(" ");
  return { method, userAgent: headers["user-agent"] ?? "", purpose, at: ground.clock.now() };
}
