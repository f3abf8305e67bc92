import { Type } from "typebox";
import type { Ground } from "../../platform/ground.ts";
import { type App, Problem } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import type { Scrub } from "../../platform/scrub.ts";
import { providerAnywhere } from "../connection/provider-store.ts";
import { credentialsOf, scrubberOf } from "../connection/registry.ts";
import { weakKey } from "../providers/protocol/keys.ts";
import { type CallbackContents, type CallbackRequest, type CallbackSetup, notConfigured } from "./callback.ts";
import { readerOf } from "./index.ts";
import { receive } from "./receive.ts";

const Path = Type.Object({ kind: Type.String(), id: Type.String() });

/** Kinds that also call by GET, and sign the parameters in the address. */
const BY_GET = new Set(["vonage"]);

/**
 * The route where providers report what became of messages: /callbacks/<kind>/<prv_...>, by POST, for a few also by GET. It needs
 * no key: each kind proves itself by its own signature, which is checked before anything is read. 200 means that the report is
 * committed; after any other answer a provider repeats its call.
 */
export function callbacks(app: App, ground: Ground): void {
  app.register(async (scope: App) => {
    // Signatures cover the bytes as they were sent, whatever their content type is.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.route({
      method: ["POST", "GET"],
      // A HEAD has no contents, so it must not count as a GET.
      exposeHeadRoute: false,
      url: "/callbacks/:kind/:id",
      schema: {
        summary: "What a provider reports of its messages",
        tags: ["callbacks"],
        params: Path,
        security: [],
        response: { 200: Type.Object({}) },
      },
      async handler(request, reply) {
        const { kind, id } = request.params;
        const byGet = request.method === "GET";
        const uuid = !byGet || BY_GET.has(kind) ? decodeId("prv", id) : undefined;
        const provider = uuid === undefined ? undefined : await providerAnywhere(ground.db, uuid);
        const reader = provider && provider.kind === kind ? readerOf(provider.kind) : undefined;
        if (!provider || !reader) throw unknown();
        const received: CallbackRequest = {
          headers: request.headers,
          raw: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          byGet,
          url: ground.config.publicUrl.replace(/\/$/, "") + request.url,
          delivery: new URLSearchParams(request.url.split("?").slice(1).join("?")).get("delivery") ?? undefined,
          now: ground.clock.now(),
          fetchOut: ground.fetchOut,
        };
        const weak = weakKey(provider.kind, credentialsOf(ground, provider));
        if (weak) throw notConfigured(`credentials.${weak.name}`, `its value must be ${weak.must}`);
        const setup = {
          settings: provider.settings,
          credentials: credentialsOf(ground, provider),
        } as CallbackSetup<never>;
        const contents = scrubbedOf(await reader(received, setup), scrubberOf(ground, provider));
        await ground.db.transaction((tx) => receive(tx, ground, provider, contents));
        return reply.send({});
      },
    });
  });
}

/** Removes the credentials from the reasons, which are stored, shown and passed on. */
const scrubbedOf = (contents: CallbackContents, scrub: Scrub): CallbackContents => ({
  ...contents,
  items: contents.items.map((item) => ({
    ...item,
    reason: item.reason === undefined ? undefined : scrub(item.reason),
  })),
});

const unknown = (): Problem =>
  new Problem("not_found", "No provider of this kind has this id. Copy its address anew, see docs/providers.md.");
