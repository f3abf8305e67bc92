import { crc32, deflateSync } from "node:zlib";

// Images for tests, made here, so that each byte of them is known.

const u32 = (n: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(n);
  return bytes;
};

export function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  return Buffer.concat([u32(data.length), body, u32(crc32(body))]);
}

const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const header = (width: number, height: number): Buffer =>
  pngChunk("IHDR", Buffer.concat([u32(width), u32(height), Buffer.from([8, 2, 0, 0, 0])]));
const END = pngChunk("IEND", Buffer.alloc(0));

/** A PNG of one colour; `seed` makes one image differ from another. `chunks` come before the pixels. */
export function pngOf(width: number, height: number, seed = 0, chunks: Buffer[] = []): Buffer {
  const row = Buffer.concat([
    Buffer.of(0),
    Buffer.alloc(width * 3, Buffer.from([seed, (seed >> 8) & 0xff, (seed >> 16) & 0xff])),
  ]);
  const pixels = pngChunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: height }, () => row))));
  return Buffer.concat([PNG, header(width, height), ...chunks, pixels, END]);
}

/** A few bytes that say to be a very large PNG. */
export const bombOf = (side: number): Buffer =>
  Buffer.concat([PNG, header(side, side), pngChunk("IDAT", deflateSync(Buffer.alloc(1_000_000))), END]);

/** A GIF of frames of one pixel, in red and blue in turn. */
export function gifOf(frames: number, between: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.from("474946383961020001008000 00ff00000000ff".replaceAll(" ", ""), "hex");
  const loop = Buffer.from("21ff0b4e45545343415045322e300301000000", "hex");
  // One pixel: clear, its colour, end, in codes of 3 bits.
  const pixel = [Buffer.of(2, 2, 0x44, 0x01, 0), Buffer.of(2, 2, 0x4c, 0x01, 0)];
  const frame = (i: number) =>
    Buffer.concat([
      Buffer.from("21f904040a000000", "hex"),
      Buffer.from(`2c0${i % 2}0000000100010000`, "hex"),
      pixel[i % 2] as Buffer,
    ]);
  return Buffer.concat([head, loop, between, ...Array.from({ length: frames }, (_, i) => frame(i)), Buffer.of(0x3b)]);
}

/** A form with files and texts, as browsers send it. */
export function formOf(
  parts: { name: string; filename?: string; type?: string; data: Buffer | string }[],
  boundary = "boundary-of-the-form",
): { raw: Buffer; headers: Record<string, string> } {
  const written = parts.flatMap(({ name, filename, type, data }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}\r\n${
        filename === undefined ? "" : `Content-Type: ${type ?? "application/octet-stream"}\r\n`
      }\r\n`,
    ),
    Buffer.from(data),
    Buffer.from("\r\n"),
  ]);
  return {
    raw: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  };
}

/** A form with one image. */
export const imageForm = (data: Buffer, more: Record<string, string> = {}, filename = "image.png") =>
  formOf([{ name: "file", filename, data }, ...Object.entries(more).map(([name, data]) => ({ name, data }))]);
