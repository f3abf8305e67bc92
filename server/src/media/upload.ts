import { createHash } from "node:crypto";
import { Problem } from "../platform/http/index.ts";
import { newId } from "../platform/ids.ts";
import { created, type Origin } from "../platform/resources/changes.ts";
import { Stale, type Write } from "../platform/resources/crud.ts";
import { type Image, rewrittenInThread } from "./codec/in-thread.ts";
import type { Form } from "./form.ts";
import type { MediaGround } from "./ground.ts";
import { imageOf } from "./image.ts";
import { type ImageRow, lockFile, markStored, reserve, storedFile } from "./store.ts";

/** The most images of a workspace: lists read all rows of a workspace. */
const MOST_IMAGES = 10_000;

type Prepared = Omit<ImageRow, "created_at" | "updated_at"> & { image: Image };

/** Decodes an uploaded file and writes it anew, in the workspace's turn. @throws Problem image_refused, image_too_large */
export async function prepared(
  { shares }: Pick<MediaGround, "shares">,
  workspaceId: string,
  { file, name, alt }: Form,
): Promise<Prepared> {
  const image = await shares.images.run(workspaceId, () => rewrittenInThread(file));
  const { kind, width, height, frames, bytes, thumbnail } = image;
  // With the workspace in it, nobody can find out by an address whether another workspace has an image.
  const hash = createHash("sha256").update(workspaceId).update(bytes).digest("hex").slice(0, 40);
  return {
    image,
    id: newId(),
    file: `${hash}.${kind === "jpeg" ? "jpg" : kind}`,
    thumbnail: `${hash}-small.webp`,
    name,
    alt,
    kind,
    width,
    height,
    frames,
    bytes: bytes.length,
    thumbnail_bytes: thumbnail.length,
  };
}

/**
 * Takes a place for an image. Returns the image that is there already, or the write that stores it.
 * @throws Problem limit_reached
 */
export async function placeFor(
  ground: MediaGround,
  origin: Origin,
  row: Prepared,
): Promise<{ there?: ImageRow; store: Write<ImageRow> }> {
  const { config, db, clock, media } = ground;
  const { scope } = origin;
  const limits = { most: MOST_IMAGES, mostBytes: config.media.mostBytes, now: clock.now() };
  if (!(await reserve(db, scope, row, limits)))
    throw new Problem(
      "limit_reached",
      `A workspace has at most ${MOST_IMAGES} images, of ${config.media.mostBytes / 1024 / 1024} MiB together. Remove some first.`,
    );
  const there = await storedFile(db, scope, row.file);
  return {
    ...(there && { there }),
    async store(tx, now) {
      // Its lock makes two uploads of one image, and its removal, take turns.
      const locked = await lockFile(tx, scope, row.file);
      if (!locked) throw new Stale();
      if (locked.state === "stored") return locked;
      await media.write(row.thumbnail, row.image.thumbnail);
      await media.write(row.file, row.image.bytes);
      const stored = await markStored(tx, scope, row, now);
      await created(tx, imageOf(ground), origin, { row: stored, now });
      return stored;
    },
  };
}
