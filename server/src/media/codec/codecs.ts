import { readFile } from "node:fs/promises";
import decodeAvif, { init as initAvif } from "@jsquash/avif/decode.js";
import decodeJpeg, { init as initJpegDecoder } from "@jsquash/jpeg/decode.js";
import encodeJpeg, { init as initJpegEncoder } from "@jsquash/jpeg/encode.js";
import decodePng, { init as initPng } from "@jsquash/png/decode.js";
import encodePng from "@jsquash/png/encode.js";
import decodeWebp, { init as initWebpDecoder } from "@jsquash/webp/decode.js";
import encodeWebp, { init as initWebpEncoder } from "@jsquash/webp/encode.js";
import type { Pixels } from "./pixels.ts";
import { damaged } from "./refusal.ts";

/*
 * The codecs are WebAssembly: a faulty image can't reach the memory of the process, whatever it does to the codec. Each is
 * compiled when it is needed first.
 */

/** The most memory of one codec. A picture of 25 megapixels takes 100 MB, and a codec has it up to four times. */
const MOST_PAGES = (640 * 1024 * 1024) / 65_536;

interface Memory {
  buffer: ArrayBuffer;
  grow(pages: number): number;
}
/** What is used of WebAssembly: the types of Node lack it, and those of browsers would bring a thousand names more. */
const { compile, Memory } = (globalThis as unknown as Record<"WebAssembly", unknown>).WebAssembly as {
  compile(bytes: Uint8Array): Promise<never>;
  Memory: { prototype: Memory };
};

const grow = Memory.prototype.grow;
Memory.prototype.grow = function (this: Memory, pages: number): number {
  if (this.buffer.byteLength / 65_536 + pages > MOST_PAGES) throw new RangeError("a codec may not have so much memory");
  return grow.call(this, pages);
};

const loaded = new Map<string, Promise<unknown>>();

/** Compiles a codec at its first use. */
function ready(file: string, init: (module: never) => Promise<unknown>): Promise<unknown> {
  const load = async () => init(await compile(await readFile(new URL(import.meta.resolve(file)))));
  const found = loaded.get(file) ?? load();
  loaded.set(file, found);
  return found;
}

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/** Whatever a codec says of a file that it can't read, the file is broken. */
async function decoded(
  decode: () => Promise<{ data: unknown; width: number; height: number } | null>,
): Promise<Pixels> {
  const image = await decode().catch((error: unknown) => {
    throw damaged(`it can't be decoded (${String((error as Error).message ?? error).slice(0, 100)})`);
  });
  if (!image) throw damaged("it can't be decoded");
  return image as Pixels;
}

export const decoders = {
  async png(bytes: Uint8Array): Promise<Pixels> {
    await ready("@jsquash/png/codec/pkg/squoosh_png_bg.wasm", (module) => initPng(module));
    return decoded(() => decodePng(bufferOf(bytes)));
  },
  async jpeg(bytes: Uint8Array): Promise<Pixels> {
    await ready("@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm", (module) => initJpegDecoder(module));
    return decoded(() => decodeJpeg(bufferOf(bytes)));
  },
  async webp(bytes: Uint8Array): Promise<Pixels> {
    await ready("@jsquash/webp/codec/dec/webp_dec.wasm", (module) => initWebpDecoder(module));
    return decoded(() => decodeWebp(bufferOf(bytes)));
  },
  async avif(bytes: Uint8Array): Promise<Pixels> {
    await ready("@jsquash/avif/codec/dec/avif_dec.wasm", (module) => initAvif(module));
    return decoded(() => decodeAvif(bufferOf(bytes)));
  },
};

/** At these qualities nobody sees a difference to the original, and a photo is no larger than it came from a phone. */
const JPEG_QUALITY = 85;
const WEBP_QUALITY = 82;

export const encoders = {
  async png(image: Pixels): Promise<Uint8Array> {
    await ready("@jsquash/png/codec/pkg/squoosh_png_bg.wasm", (module) => initPng(module));
    return new Uint8Array(await encodePng(image as never));
  },
  async jpeg(image: Pixels): Promise<Uint8Array> {
    await ready("@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm", (module) => initJpegEncoder(module));
    return new Uint8Array(await encodeJpeg(image as never, { quality: JPEG_QUALITY }));
  },
  async webp(image: Pixels, lossless: boolean): Promise<Uint8Array> {
    await ready("@jsquash/webp/codec/enc/webp_enc_simd.wasm", (module) => initWebpEncoder(module));
    return new Uint8Array(
      await encodeWebp(image as never, lossless ? { lossless: 1, quality: 60 } : { quality: WEBP_QUALITY }),
    );
  },
};
