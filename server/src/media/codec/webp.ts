import { ascii, Bytes, joined } from "./bytes.ts";
import { orientationOf } from "./exif.ts";
import type { Pixels } from "./pixels.ts";
import { checkFrames, checkSize, damaged } from "./refusal.ts";

// WebP's container (RFC 9649): a RIFF file of chunks.

export interface Chunk {
  name: string;
  data: Uint8Array;
}

export interface Frame {
  /** The first 16 bytes of ANMF: place, size, time, and how it is laid over what was before. */
  head: Uint8Array;
  /** The frame as a file of its own. */
  file: Uint8Array;
  lossless: boolean;
}

export interface Webp {
  width: number;
  height: number;
  orientation: number;
  lossless: boolean;
  animation: { head: Uint8Array; frames: Frame[] } | undefined;
}

/** @throws Refusal */
export function readWebp(all: Uint8Array): Webp {
  const bytes = new Bytes(all, 4);
  const length = bytes.u32(true);
  bytes.skip(4);
  const chunks = chunksOf(bytes.take(length - 4));
  const named = (name: string) => chunks.find((chunk) => chunk.name === name)?.data;
  const extended = named("VP8X");
  const exif = named("EXIF");
  const orientation = exif ? orientationOf(exif) : 1;
  if (!extended) return { ...pictureOf(chunks), orientation, animation: undefined };
  const [width, height] = canvasOf(extended);
  checkSize(width, height);
  const head = named("ANIM");
  if (!head) return { ...pictureOf(chunks), width, height, orientation, animation: undefined };
  const frames = chunks.filter(({ name }) => name === "ANMF").map(({ data }) => frameOf(data));
  if (frames.length === 0) throw damaged("an animation has frames, and this one none");
  checkFrames(
    frames.length,
    frames.reduce((sum, frame) => sum + frame.pixels, 0),
  );
  return { width, height, orientation: 1, lossless: false, animation: { head: head.slice(0, 6), frames } };
}

function chunksOf(all: Uint8Array): Chunk[] {
  const bytes = new Bytes(all);
  const found: Chunk[] = [];
  while (bytes.left >= 8) {
    const name = bytes.text(4);
    const size = bytes.u32(true);
    found.push({ name, data: bytes.take(size) });
    if (size % 2 === 1 && bytes.left > 0) bytes.skip(1);
  }
  return found;
}

const u24 = (data: Uint8Array, at: number): number =>
  (data[at] as number) | ((data[at + 1] as number) << 8) | ((data[at + 2] as number) << 16);

function canvasOf(data: Uint8Array): [number, number] {
  if (data.length < 10) throw damaged("the size of a WebP is missing");
  return [u24(data, 4) + 1, u24(data, 7) + 1];
}

/** The size of the one picture among these chunks, as its own data says: the decoder goes by that. */
function pictureOf(chunks: Chunk[]): { width: number; height: number; lossless: boolean } {
  const picture = chunks.find(({ name }) => name === "VP8 " || name === "VP8L");
  if (!picture || picture.data.length < 10) throw damaged("a WebP has a picture, and this one none");
  const lossless = picture.name === "VP8L";
  const bytes = new Bytes(picture.data, lossless ? 1 : 6);
  const bits = bytes.u32(true);
  const width = lossless ? (bits & 0x3fff) + 1 : bits & 0x3fff;
  const height = lossless ? ((bits >>> 14) & 0x3fff) + 1 : (bits >>> 16) & 0x3fff;
  checkSize(width, height);
  return { width, height, lossless };
}

function frameOf(data: Uint8Array): Frame & { pixels: number } {
  if (data.length < 16) throw damaged("a frame of a WebP is cut off");
  const chunks = chunksOf(data.subarray(16)).filter(({ name }) => ["ALPH", "VP8 ", "VP8L"].includes(name));
  const { width, height, lossless } = pictureOf(chunks);
  if (u24(data, 6) + 1 !== width || u24(data, 9) + 1 !== height)
    throw damaged("a frame of a WebP has another size than its picture");
  const alpha = chunks.some(({ name }) => name === "ALPH");
  const extended = alpha ? [{ name: "VP8X", data: extension({ width, height }, 0x10) }] : [];
  return {
    head: data.slice(0, 16),
    file: riff([...extended, ...chunks]),
    lossless,
    pixels: width * height,
  };
}

function extension({ width, height }: { width: number; height: number }, flags: number): Uint8Array {
  const [w, h] = [width - 1, height - 1];
  return Uint8Array.of(flags, 0, 0, 0, w, w >> 8, w >> 16, h, h >> 8, h >> 16);
}

const u32 = (n: number): Uint8Array => Uint8Array.of(n, n >> 8, n >> 16, n >>> 24);

const written = ({ name, data }: Chunk): Uint8Array[] => [
  ascii(name),
  u32(data.length),
  data,
  new Uint8Array(data.length % 2),
];

function riff(chunks: Chunk[]): Uint8Array {
  const body = joined(chunks.flatMap(written));
  return joined([ascii("RIFF"), u32(body.length + 4), ascii("WEBP"), body]);
}

/** Writes an animation of frames that were encoded again, as files of their own, with the times and places that they had. */
export function animated(
  canvas: { width: number; height: number },
  head: Uint8Array,
  frames: { head: Uint8Array; file: Uint8Array }[],
): Uint8Array {
  const pictures = frames.map((frame) => ({
    name: "ANMF",
    data: joined([
      frame.head,
      ...chunksOf(frame.file.subarray(12))
        .filter(({ name }) => name !== "VP8X")
        .flatMap(written),
    ]),
  }));
  return riff([{ name: "VP8X", data: extension(canvas, 0x12) }, { name: "ANIM", data: head }, ...pictures]);
}

/** Lays a frame over an empty canvas. */
export function laidOn({ width, height }: { width: number; height: number }, head: Uint8Array, frame: Pixels): Pixels {
  const [left, top] = [u24(head, 0) * 2, u24(head, 3) * 2];
  if (left + frame.width > width || top + frame.height > height)
    throw damaged("a frame of a WebP is not inside the picture");
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < frame.height; y++)
    data.set(frame.data.subarray(y * frame.width * 4, (y + 1) * frame.width * 4), ((top + y) * width + left) * 4);
  return { data, width, height };
}
