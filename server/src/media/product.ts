import { Image, ImageList, ImagePatch, ImageUsers } from "@tidings/contract/messages/media";
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from "fastify";
import { Type } from "typebox";
import { type App, notFound, Problem } from "../platform/http/index.ts";
import { decodeId } from "../platform/ids.ts";
import { holdTurn } from "../platform/limits/hold-turn.ts";
import { answered, shown, TAGGED, tagOf, UNCHANGED } from "../platform/resources/authored.ts";
import { changing, removing } from "../platform/resources/changes.ts";
import { settled } from "../platform/resources/crud.ts";
import { creating, earlier, keyOf, replay } from "../platform/resources/idempotency.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { listRoute } from "../platform/resources/list-route.ts";
import { type ConnectedGround, originOf, workspaceOf } from "../workspaces/index.ts";
import { MOST_BODY, readForm, tooLarge } from "./form.ts";
import type { MediaGround } from "./ground.ts";
import { imageOf } from "./image.ts";
import { removeFiles } from "./remove.ts";
import { imageById, type ImageRow, listSource, markRemoving, updateImage } from "./store.ts";
import { placeFor, prepared } from "./upload.ts";

const PATH = "/media";
const tags = ["media"];
const params = Type.Object({ id: Type.String() });
const config = { needs: "author" } as const;

/** The media library: images are uploaded as forms, listed, named and removed. */
export function product(app: App, ground: MediaGround & ConnectedGround): void {
  const kind = imageOf(ground);
  listRoute(app, ground, {
    path: PATH,
    tag: "media",
    summary: "List images, newest first",
    prefix: "img",
    listing: ImageList,
    source: listSource,
    scopeOf: workspaceOf,
    shape: (row: ImageRow) => kind.shape(row),
  });
  app.register(async (scope: App) => uploads(scope, ground));
  one(app, ground);
  usersRoute(app, ground);
}

const noun = "image";
/** @throws Problem not_found */
function idOf(text: string): string {
  const id = decodeId("img", text);
  if (!id) throw notFound(noun);
  return id;
}

function usersRoute(app: App, ground: MediaGround & ConnectedGround): void {
  app.get(
    `${PATH}/:id/users`,
    {
      schema: {
        summary: "List what shows an image: templates and their parts, and messages",
        tags,
        params,
        response: { 200: ImageUsers },
      },
    },
    async (request) => {
      const scope = workspaceOf(request);
      const row = await imageById(ground.db, scope, idOf(request.params.id));
      if (!row) throw notFound(noun);
      // The thumbnail's name begins with the same hash.
      const [hash = row.file] = row.file.split(".");
      return { data: await ground.slices.usersOf.image(inListTurns(ground, scope), scope, hash) };
    },
  );
}

/** The route has a Fastify scope of its own: only it takes forms, and takes them as a stream. */
function uploads(scope: App, ground: MediaGround): void {
  const kind = imageOf(ground);
  scope.addContentTypeParser(/^multipart\/form-data(?:;|$)/i, (_request, payload, done) => done(null, payload));
  const inTurn: preParsingHookHandler = async (request, reply, payload) => {
    if (Number(request.headers["content-length"] ?? 0) > MOST_BODY) throw tooLarge();
    // A body that waits is not read.
    await holdTurn(ground.shares.uploads, workspaceOf(request), reply);
    return payload;
  };
  scope.post(
    PATH,
    {
      config,
      preParsing: inTurn,
      bodyLimit: MOST_BODY,
      schema: {
        summary: "Upload an image",
        description:
          "PNG, JPEG, GIF, WebP or AVIF of up to 10 MiB. It is decoded and written anew, without its metadata. The same image again answers 200 with what is there.",
        ...TAGGED,
        tags,
        response: { 200: Image, 201: Image },
      },
    },
    async (request, reply) => {
      const form = await readForm(request);
      request.largeBody = form.digest;
      // A repeat gets its first answer without a second look at the image.
      const keyed = keyOf(request, workspaceOf(request));
      const before = keyed && (await earlier(ground.db, keyed, ground.clock.now()));
      if (before instanceof Problem) throw before;
      if (before) return replay(reply.header("etag", tagOf(kind, before.body as object)), before) as never;
      const row = await prepared(ground, workspaceOf(request), form);
      return settled(
        () => placeFor(ground, originOf(request), row),
        ({ there, store }) => {
          const now = ground.clock.now();
          const call = { request, reply, scope: workspaceOf(request), now, status: there ? 200 : 201 };
          return creating(ground.db, { ...call, tagOf: (body) => tagOf(kind, body) }, async (tx) =>
            kind.shape(await store(tx, now)),
          );
        },
      );
    },
  );
}

/** Get, change and remove one. */
function one(app: App, ground: MediaGround): void {
  const { db, clock } = ground;
  const kind = imageOf(ground);
  const route = `${PATH}/:id`;
  const read = async (request: FastifyRequest, reply: FastifyReply) => {
    const row = await imageById(db, workspaceOf(request), idOf((request.params as { id: string }).id));
    if (!row) throw notFound(kind.noun);
    return shown(request, reply, kind, row);
  };
  app.get(
    route,
    { schema: { summary: "Get an image", ...TAGGED, tags, params, response: { 200: Image, 304: UNCHANGED } } },
    read,
  );
  app.patch(
    route,
    {
      config,
      schema: {
        summary: "Change the name or the alternative text of an image",
        ...TAGGED,
        tags,
        params,
        body: ImagePatch,
        response: { 200: Image },
      },
    },
    async (request, reply) => {
      const [scope, id, now] = [workspaceOf(request), idOf(request.params.id), clock.now()];
      const change = { origin: originOf(request), done: "changed", id, now };
      const row = await db.transaction((tx) =>
        changing(tx, kind, change, () => updateImage(tx, scope, { id, patch: request.body, now })),
      );
      return answered(reply, kind, row);
    },
  );
  app.delete(
    route,
    {
      config,
      schema: {
        summary: "Remove an image; messages that show it then lack it",
        ...TAGGED,
        tags,
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const [scope, id, now] = [workspaceOf(request), idOf(request.params.id), clock.now()];
      await db.transaction((tx) =>
        removing(tx, kind, { origin: originOf(request), id, now }, () => markRemoving(tx, scope, id, now)),
      );
      // It is removed for its workspace now. If the store does not work, the job media.clear repeats this.
      await removeFiles(ground, scope, id).catch((error: unknown) =>
        ground.log.warn({ request_id: request.id, err: error }, "the files of an image could not be removed yet"),
      );
      return reply.code(204).send(null);
    },
  );
}
