import { encodeId } from "../platform/ids.ts";
import type { Authored } from "../platform/resources/authored.ts";
import type { MediaGround } from "./ground.ts";
import { type ImageRow, lockImage } from "./store.ts";

/** What the addresses and the store know of an image. Its address never changes its content, so these fields have no author. */
export const imageOf = ({ config }: Pick<MediaGround, "config">): Authored<ImageRow> => ({
  noun: "image",
  locked: lockImage,
  shape: ({ thumbnail, thumbnail_bytes: _, ...row }) => ({
    ...row,
    id: encodeId("img", row.id),
    thumbnail_file: thumbnail,
    url: `${config.media.url}/${row.file}`,
    thumbnail_url: `${config.media.url}/${thumbnail}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }),
  derived: ["url", "thumbnail_url"],
});
