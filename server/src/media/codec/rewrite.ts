import { decoders, encoders } from "./codecs.ts";
import { rewrittenGif } from "./gif.ts";
import { type Kind, kindOf } from "./kinds.ts";
import { type Pixels, shrunk, upright } from "./pixels.ts";
import { checkSize, damaged } from "./refusal.ts";
import { readAvif, readJpeg, readPng, type Still } from "./still.ts";
import { animated, laidOn, readWebp } from "./webp.ts";

/** An image that was decoded and written anew: nothing of the original file is in it but its pixels. */
export interface Image {
  bytes: Uint8Array;
  kind: Exclude<Kind, "avif">;
  width: number;
  height: number;
  frames: number;
  /** A small WebP of it, or of its first frame. */
  thumbnail: Uint8Array;
}

/** Twice the width of a card of the dashboard, for dense displays. */
const THUMBNAIL = 480;

/** Decodes an image completely and writes it anew. @throws Refusal */
export async function rewritten(file: Uint8Array): Promise<Image> {
  const kind = kindOf(file);
  if (kind === "gif") {
    const { first, ...gif } = rewrittenGif(file);
    return { ...gif, kind, thumbnail: await thumbnailOf(first) };
  }
  if (kind === "webp") return webp(file);
  // What the file says of itself is read before it is decoded: it may be a bomb.
  const read = READERS[kind](file);
  const decoded = await decoders[kind](file);
  // Encoding AVIF takes 6.6 s for 12 megapixels and WebP 1.8 s, and most mail programs that show WebP don't show AVIF.
  return still(kind === "avif" ? "webp" : kind, decoded, read);
}

const READERS = { png: readPng, jpeg: readJpeg, avif: readAvif };

async function still(kind: "jpeg" | "png" | "webp", decoded: Pixels, { orientation }: Still): Promise<Image> {
  const image = upright(checked(decoded), orientation);
  const { width, height } = image;
  const bytes = kind === "webp" ? await encoders.webp(image, false) : await encoders[kind](image);
  return { bytes, kind, width, height, frames: 1, thumbnail: await thumbnailOf(image) };
}

async function webp(file: Uint8Array): Promise<Image> {
  const { width, height, orientation, lossless, animation } = readWebp(file);
  if (!animation) {
    const image = upright(checked(await decoders.webp(file)), orientation);
    const bytes = await encoders.webp(image, lossless);
    const thumbnail = await thumbnailOf(image);
    return { bytes, kind: "webp", width: image.width, height: image.height, frames: 1, thumbnail };
  }
  const frames = [];
  let first: Pixels | undefined;
  for (const { head, file, lossless } of animation.frames) {
    const image = checked(await decoders.webp(file));
    first ??= laidOn({ width, height }, head, image);
    frames.push({ head, file: await encoders.webp(image, lossless) });
  }
  const bytes = animated({ width, height }, animation.head, frames);
  const thumbnail = await thumbnailOf(first as Pixels);
  return { bytes, kind: "webp", width, height, frames: frames.length, thumbnail };
}

/** What a codec returns must be what was allowed: a file may say one size in two places. */
function checked(image: Pixels): Pixels {
  checkSize(image.width, image.height);
  if (image.data.length !== image.width * image.height * 4) throw damaged("it can't be decoded");
  return image;
}

const thumbnailOf = (image: Pixels): Promise<Uint8Array> => encoders.webp(shrunk(image, THUMBNAIL), false);
