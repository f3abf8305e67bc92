import { expect, test } from "vitest";
import { bombOf, gifOf, pngChunk, pngOf } from "../../../test/support/images.ts";
import { decoders, encoders } from "./codecs.ts";
import type { Pixels } from "./pixels.ts";
import { rewritten } from "./rewrite.ts";
import { animated, readWebp } from "./webp.ts";

const painted = (width: number, height: number, color: (x: number, y: number) => number[]): Pixels => {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(color(x, y), (y * width + x) * 4);
  return { data, width, height };
};
/** Red on the left and blue on the right, 64 x 32. */
const flag = painted(64, 32, (x) => (x < 32 ? [250, 0, 0, 255] : [0, 0, 250, 255]));
const at = ({ data, width }: Pixels, x: number, y: number): string =>
  data[(y * width + x) * 4] === undefined ? "none" : (data[(y * width + x) * 4] as number) > 128 ? "red" : "blue";
const refusal = (file: Uint8Array): Promise<string> => rewritten(file).then(() => "taken", String);

/** Exif data that says how the picture is turned, and where it was taken. */
const exif = (orientation: number): Buffer => {
  const tiff = Buffer.alloc(26);
  tiff.write("MM\0*", 0, "latin1");
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(0x0112, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return Buffer.concat([tiff, Buffer.from("GPS 52.5200 N")]);
};
const jpegWith = (jpeg: Uint8Array, segment: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(segment.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.of(0xff, 0xe1), length, segment, jpeg.subarray(2)]);
};

test("PNG, JPEG and WebP are written anew in their kind, and a WebP without loss stays without loss", async () => {
  for (const [kind, bytes] of [
    ["png", await encoders.png(flag)],
    ["jpeg", await encoders.jpeg(flag)],
    ["webp", await encoders.webp(flag, false)],
    ["webp", await encoders.webp(flag, true)],
  ] as const) {
    const image = await rewritten(bytes);
    expect(image).toMatchObject({ kind, width: 64, height: 32, frames: 1 });
    const shown = await decoders[kind](image.bytes);
    expect([at(shown, 2, 16), at(shown, 60, 16)]).toEqual(["red", "blue"]);
    expect(await decoders.webp(image.thumbnail)).toMatchObject({ width: 64, height: 32 });
  }
  const lossless = await rewritten(await encoders.webp(flag, true));
  expect((await decoders.webp(lossless.bytes)).data).toEqual(flag.data);
});

/** `flag`, as libavif writes it. */
const AVIF = Buffer.from(
  [
    "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aW",
    "YAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAACsAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29s",
    "b3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAEAAAAAgAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAMAAAAABNjb2xybmNseAACAA",
    "IABoAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAADNtZGF0EgAKCRgVP/sECAgaEDIcGAAKKKKEALNXJYjtxwAsEZ318z8kdlEGx6NHIA==",
  ].join(""),
  "base64",
);

test("an AVIF becomes a WebP, and one that is cut off, or says to be huge, is refused", async () => {
  const image = await rewritten(AVIF);
  expect(image).toMatchObject({ kind: "webp", width: 64, height: 32, frames: 1 });
  const shown = await decoders.webp(image.bytes);
  expect([at(shown, 2, 16), at(shown, 60, 16)]).toEqual(["red", "blue"]);
  expect(await refusal(AVIF.subarray(0, -20))).toMatch(/can't be decoded|damaged|cut off/);
  // The box "ispe" says the size: 16,384 pixels on each side are refused before anything is decoded.
  const huge = Buffer.from(AVIF);
  const size = huge.indexOf("ispe") + 8;
  for (const place of [size, size + 4]) huge.writeUInt32BE(16_384, place);
  expect(await refusal(huge)).toMatch(/pixels/);
});

test("what is said about a picture is left out, and it is turned as that said", async () => {
  const jpeg = await encoders.jpeg(flag);
  const shown: Record<number, [number, number, string]> = {
    1: [64, 32, "red"],
    2: [64, 32, "blue"],
    3: [64, 32, "blue"],
    4: [64, 32, "red"],
    5: [32, 64, "red"],
    6: [32, 64, "red"],
    7: [32, 64, "blue"],
    8: [32, 64, "blue"],
  };
  for (const [orientation, [width, height, first]] of Object.entries(shown)) {
    const file = jpegWith(jpeg, Buffer.concat([Buffer.from("Exif\0\0"), exif(Number(orientation))]));
    const image = await rewritten(file);
    expect(Buffer.from(image.bytes).includes("GPS"), orientation).toBe(false);
    expect([image.width, image.height], orientation).toEqual([width, height]);
    expect(at(await decoders.jpeg(image.bytes), 3, 3), orientation).toBe(first);
  }
  const png = await encoders.png(flag);
  const turned = Buffer.concat([png.subarray(0, 33), pngChunk("eXIf", exif(6)), png.subarray(33)]);
  expect(await rewritten(turned)).toMatchObject({ width: 32, height: 64 });
});

test("a page hidden in an image does not survive", async () => {
  const page = "<script>alert(1)</script>";
  const jpeg = Buffer.concat([jpegWith(await encoders.jpeg(flag), Buffer.from(page)), Buffer.from(page)]);
  const png = Buffer.concat([pngOf(8, 8, 7, [pngChunk("tEXt", Buffer.from(`Comment\0${page}`))]), Buffer.from(page)]);
  const comment = Buffer.concat([Buffer.of(0x21, 0xfe, page.length), Buffer.from(page), Buffer.of(0)]);
  const gif = Buffer.concat([gifOf(2, comment), Buffer.from(page)]);
  for (const file of [jpeg, png, gif]) {
    const image = await rewritten(file);
    expect(Buffer.from(image.bytes).includes("script")).toBe(false);
  }
});

test("a GIF keeps its frames, times, places and colours", async () => {
  const file = gifOf(3);
  const image = await rewritten(file);
  expect(image).toMatchObject({ kind: "gif", width: 2, height: 1, frames: 3 });
  // The same file again: it was written as this service writes it.
  expect(Buffer.from(image.bytes).equals(file)).toBe(true);
});

test("a GIF of many colours and codes is the same after it was packed again, also with rows in the order of interlacing", async () => {
  const { packed, unpacked } = await import("./lzw.ts");
  for (const [bits, count] of [
    [2, 1],
    [2, 5_000],
    [8, 200_000],
  ] as const) {
    let seed = 1;
    const colors = Uint8Array.from({ length: count }, (_, i) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (i % 7 < 4 ? i >> 5 : seed >> 16) & ((1 << bits) - 1);
    });
    const blocks = packed(colors, bits);
    const data = [];
    for (let from = 0; (blocks[from] as number) > 0; from += (blocks[from] as number) + 1)
      data.push(blocks.subarray(from + 1, from + 1 + (blocks[from] as number)));
    expect(unpacked(Buffer.concat(data), bits, count)).toEqual(colors);
  }
});

test("an animated WebP keeps its frames and times", async () => {
  const head = Uint8Array.of(0, 0, 0, 0, 0, 0, 63, 0, 0, 31, 0, 0, 100, 0, 0, 0);
  const frames = [
    { head, file: await encoders.webp(flag, false) },
    { head, file: await encoders.webp(flag, true) },
  ];
  const file = animated({ width: 64, height: 32 }, Uint8Array.of(0, 0, 0, 0, 3, 0), frames);
  const image = await rewritten(file);
  expect(image).toMatchObject({ kind: "webp", width: 64, height: 32, frames: 2 });
  const { animation } = readWebp(image.bytes);
  expect(animation?.head).toEqual(Uint8Array.of(0, 0, 0, 0, 3, 0));
  expect(animation?.frames.map((frame) => [frame.head[12], frame.lossless])).toEqual([
    [100, false],
    [100, true],
  ]);
});

test("a file that is cut off anywhere is refused", async () => {
  const files = [
    await encoders.png(flag),
    await encoders.jpeg(flag),
    await encoders.webp(flag, false),
    await encoders.webp(flag, true),
    gifOf(3),
  ];
  for (const file of files)
    for (let part = 1; part < 8; part++)
      expect(await refusal(file.subarray(0, Math.floor((file.length * part) / 8))), `${part}/8`).toMatch(/Error: is /);
});

test("bombs are refused before they are decoded", async () => {
  expect(await refusal(bombOf(50_000))).toMatch(/has 50000 x 50000 pixels/);
  expect(await refusal(gifOf(10_000))).toMatch(/too long an animation/);
  const jpeg = Buffer.from(await encoders.jpeg(flag));
  const frame = jpeg.findIndex((byte, i) => byte === 0xff && [0xc0, 0xc2].includes(jpeg[i + 1] as number));
  jpeg.writeUInt16BE(65_500, frame + 5);
  jpeg.writeUInt16BE(65_500, frame + 7);
  expect(await refusal(jpeg)).toMatch(/has 65500 x 65500 pixels/);
});

test("each refusal says what to do", async () => {
  const text = (words: string) => refusal(Buffer.from(words));
  expect(await text('<?xml version="1.0"?><svg onload="alert(1)"/>')).toMatch(/SVG.*Export it as PNG/);
  expect(await text("<html>")).toMatch(/a page/);
  expect(await text("GIF89a")).toMatch(/ends too early/);
  expect(await refusal(Buffer.from("0000001c667479706865696300000000", "hex"))).toMatch(/HEIC.*JPEG/);
  expect(await refusal(pngOf(4, 4, 0, [pngChunk("acTL", Buffer.alloc(8))]))).toMatch(/animated PNG.*GIF or WebP/);
  expect(await refusal(Buffer.from("nothing"))).toMatch(/unknown kind/);
});
