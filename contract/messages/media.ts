import { type Static, Type } from "typebox";
import { authoredSorts, listing } from "../lists.ts";
import { Closed, Instant, Line, Name, Nullable, OneOf } from "../primitives.ts";

/** The most bytes of an uploaded file. */
export const MOST_IMAGE_BYTES = 10 * 1024 * 1024;

export const ImageKind = OneOf(["png", "jpeg", "gif", "webp"]);
export type ImageKind = Static<typeof ImageKind>;

const alt = Nullable(
  Line(500, { description: "What the picture shows, for people who can't see it. Null where nobody has said it." }),
);

/** What is uploaded beside the file, as further fields of the form. */
export const ImageFields = {
  name: Line(200, { description: "Default: the name of the file." }),
  alt: Line(500, { description: "What the picture shows, for people who can't see it." }),
};

export const ImagePatch = Closed({ name: Type.Optional(Name), alt: Type.Optional(alt) });
export type ImagePatch = Static<typeof ImagePatch>;

export const Image = Type.Object({
  id: Type.String(),
  name: Type.String(),
  alt,
  kind: ImageKind,
  url: Type.String({ description: "Where everybody can load it. What is at this address never changes." }),
  thumbnail_url: Type.String({ description: "A WebP of up to 480 x 480 pixels; of an animation the first frame." }),
  file: Type.String({ description: "The last part of the address." }),
  thumbnail_file: Type.String(),
  width: Type.Integer({ description: "In pixels." }),
  height: Type.Integer(),
  frames: Type.Integer({ description: "1, or the frames of an animation." }),
  bytes: Type.Integer(),
  created_at: Instant,
  updated_at: Instant,
});
export type Image = Static<typeof Image>;

const User = Type.Object({
  type: OneOf([
    "email_template",
    "email_layout",
    "snippet",
    "transactional",
    "in_app_message",
    "broadcast",
    "campaign",
  ]),
  id: Type.String(),
  name: Type.String(),
});
export type ImageUser = Static<typeof User>;
export const ImageUsers = Type.Object({
  data: Type.Array(User, { description: "At most ten of each type." }),
});

export const ImageList = listing({
  item: Image,
  finds: "a part of the name or of the alternative text, or the beginning of the id, in any case",
  sorts: [...authoredSorts, "bytes"],
  defaultSort: "-created_at",
  facets: { kind: ImageKind },
});
