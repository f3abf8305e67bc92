import { ascii, Bytes, joined } from "./bytes.ts";
import { packed, unpacked } from "./lzw.ts";
import type { Pixels } from "./pixels.ts";
import { checkFrames, checkSize, damaged } from "./refusal.ts";

// GIF89a. A GIF is taken apart and written anew with the same colours, frames and times. Comments, texts, data of applications and whatever
// stands behind the end are left out; the bytes of the pictures are packed again, so nothing that somebody hid in them remains.

interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Red, green and blue, a byte each; 2 to 256 colours. */
  palette: Uint8Array;
  own: boolean;
  colors: Uint8Array;
}

/** The extension before a frame: how it is removed and how long it is shown, in hundredths of a second. */
interface Control {
  disposal: number;
  delay: number;
  transparent: number | undefined;
}
const NONE: Control = { disposal: 0, delay: 0, transparent: undefined };

export interface Rewritten {
  bytes: Uint8Array;
  width: number;
  height: number;
  frames: number;
  /** The first frame on its canvas. */
  first: Pixels;
}

/** @throws Refusal */
export function rewrittenGif(all: Uint8Array): Rewritten {
  const bytes = new Bytes(all, 6);
  const [width, height, flags] = [bytes.u16(true), bytes.u16(true), bytes.u8()];
  checkSize(width, height);
  const background = bytes.u8();
  bytes.skip(1);
  const shared = flags & 0x80 ? bytes.take(3 * (2 << (flags & 7))) : undefined;
  const out = [
    ascii("GIF89a"),
    Uint8Array.of(width, width >> 8, height, height >> 8, shared ? flags & 0xf7 : 0x70, shared ? background : 0, 0),
    ...(shared ? [shared] : []),
  ];
  let control = NONE;
  let frames = 0;
  let pixels = 0;
  let first: Pixels | undefined;
  for (;;) {
    const mark = bytes.u8();
    if (mark === 0x3b) break;
    if (mark === 0x21) {
      const label = bytes.u8();
      const data = blocks(bytes);
      if (label === 0xf9) control = controlOf(data);
      // How often an animation is repeated stands before its first frame.
      else if (label === 0xff && frames === 0) out.push(...loop(data));
    } else if (mark === 0x2c) {
      const frame = readFrame(bytes, shared, { width, height });
      pixels += frame.width * frame.height;
      checkFrames(++frames, pixels);
      first ??= shownOn({ width, height }, frame, control);
      out.push(...written(frame, control));
      control = NONE;
    } else throw damaged("a GIF has data between its blocks");
  }
  if (!first) throw damaged("a GIF has a picture, and this one none");
  return { bytes: joined([...out, Uint8Array.of(0x3b)]), width, height, frames, first };
}

function blocks(bytes: Bytes): Uint8Array {
  const parts = [];
  for (let length = bytes.u8(); length > 0; length = bytes.u8()) parts.push(bytes.take(length));
  return joined(parts);
}

function controlOf(data: Uint8Array): Control {
  if (data.length < 4) return NONE;
  const [flags, low, high, transparent] = data as unknown as [number, number, number, number];
  return { disposal: (flags >> 2) & 7, delay: low | (high << 8), transparent: flags & 1 ? transparent : undefined };
}

/** The extension of Netscape that says how often to repeat: 0 is for ever. */
function loop(data: Uint8Array): Uint8Array[] {
  if (data.length < 14 || String.fromCharCode(...data.subarray(0, 11)) !== "NETSCAPE2.0" || data[11] !== 1) return [];
  return [
    Uint8Array.of(0x21, 0xff, 11),
    ascii("NETSCAPE2.0"),
    Uint8Array.of(3, 1, data[12] as number, data[13] as number, 0),
  ];
}

function readFrame(bytes: Bytes, shared: Uint8Array | undefined, canvas: { width: number; height: number }): Frame {
  const [left, top, width, height] = [bytes.u16(true), bytes.u16(true), bytes.u16(true), bytes.u16(true)];
  const flags = bytes.u8();
  if (width < 1 || height < 1 || left + width > canvas.width || top + height > canvas.height)
    throw damaged("a frame of the GIF is not inside the picture");
  const own = flags & 0x80 ? bytes.take(3 * (2 << (flags & 7))) : undefined;
  const palette = own ?? shared;
  if (!palette) throw damaged("a frame of the GIF has no colours");
  const bits = bytes.u8();
  if (bits < 1 || bits > 8) throw damaged("a frame of the GIF has a wrong number of colours");
  const colors = unpacked(blocks(bytes), bits, width * height);
  const known = palette.length / 3;
  if (known < 256) for (let i = 0; i < colors.length; i++) if ((colors[i] as number) >= known) colors[i] = 0;
  return {
    left,
    top,
    width,
    height,
    palette,
    own: own !== undefined,
    colors: flags & 0x40 ? inOrder(colors, width, height) : colors,
  };
}

/** Puts the rows of an interlaced picture in their order: every 8th, every 8th from 4, every 4th from 2, every 2nd from 1. */
function inOrder(colors: Uint8Array, width: number, height: number): Uint8Array {
  const sorted = new Uint8Array(colors.length);
  let row = 0;
  for (const [start, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const)
    for (let y = start; y < height; y += step, row++)
      sorted.set(colors.subarray(row * width, (row + 1) * width), y * width);
  return sorted;
}

function written({ left, top, width, height, palette, own, colors }: Frame, control: Control): Uint8Array[] {
  const { disposal, delay, transparent } = control;
  // Three bytes for each of 2, 4, ... 256 colours.
  const bits = Math.log2(palette.length / 3);
  const flags = (disposal << 2) | (transparent === undefined ? 0 : 1);
  return [
    Uint8Array.of(0x21, 0xf9, 4, flags, delay, delay >> 8, transparent ?? 0, 0),
    Uint8Array.of(0x2c, left, left >> 8, top, top >> 8, width, width >> 8, height, height >> 8),
    Uint8Array.of(own ? 0x80 | (bits - 1) : 0),
    ...(own ? [palette] : []),
    Uint8Array.of(Math.max(2, bits)),
    packed(colors, Math.max(2, bits)),
  ];
}

function shownOn({ width, height }: { width: number; height: number }, frame: Frame, { transparent }: Control): Pixels {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < frame.colors.length; i++) {
    const color = frame.colors[i] as number;
    if (color === transparent) continue;
    const y = frame.top + Math.floor(i / frame.width);
    const at = (y * width + frame.left + (i % frame.width)) * 4;
    data.set(frame.palette.subarray(color * 3, color * 3 + 3), at);
    data[at + 3] = 255;
  }
  return { data, width, height };
}
