import { Type } from "typebox";
import type { Ground } from "../../platform/ground.ts";
import { type App, Problem } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import type { Scrub } from "../../platform/scrub.ts";
import { providerAnywhere } from "../connection/provider-store.ts";
import { credentialsOf, scrubberOf } from "../connection/registry.ts";
import { weakKey } from "../providers/protocol/keys.ts";
import { notConfigured, type Received, type Setup, type CallbackContents } from "./callback.ts";
import { readerOf } from "./index.ts";
import { receive } from "./receive.ts";

const Path = Type.Object({ kind: Type.String(), id: Type.String() });

/** Kinds that call by GET, too, and sign what stands in the address. */
const BY_GET = new Set(["vonage"]);

/**
 * Where providers tell what became of messages: /callbacks/<kind>/<prv_...>, by POST but for a few. No key: each kind proves
 * itself by its own signature, which is checked before anything is read. 200 means that it is committed; a provider repeats
 * all else.
 */
export function callbacks(app: App, ground: Ground): void {
  app.register(async (scope: App) => {
    // Signatures are over the bytes as they came, whatever their type says.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.route({
      method: ["POST", "GET"],
      // What a HEAD does not say it must not do.
      exposeHeadRoute: false,
      url: "/callbacks/:kind/:id",
      schema: {
        summary: "What a provider tells of its messages",
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
        const received: Received = {
          headers: request.headers,
          raw: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          byGet,
          url: ground.config.publicUrl.replace(/\/$/, "") + request.url,
          delivery: new URLSearchParams(request.url.split("?").slice(1).join("?")).get("delivery") ?? undefined,
          now: ground.clock.now(),
          fetchOut: ground.fetchOut,
        };
        const weak = weakKey(provider.kind, credentialsOf(ground, provider));
        if (weak) throw notConfigured(`credentials.${weak.name}`, `what is set must be ${weak.must}`);
        const setup = { settings: provider.settings, credentials: credentialsOf(ground, provider) } as Setup<never>;
        const told = scrubbedOf(await reader(received, setup), scrubberOf(ground, provider));
        await ground.db.transaction((tx) => receive(tx, ground, provider, told));
        return reply.send({});
      },
    });
  });
}

/** What a provider tells is stored, shown and passed on: without what it was called with. */
const scrubbedOf = (told: CallbackContents, scrub: Scrub): CallbackContents => ({
  ...told,
  items: told.items.map((item) => ({ ...item, reason: item.reason === undefined ? undefined : scrub(item.reason) })),
});

const unknown = (): Problem =>
  new Problem("not_found", "No provider of this kind has this id. Copy its address anew, see docs/providers.md.");
