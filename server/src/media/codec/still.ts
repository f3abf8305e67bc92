import { Bytes } from "./bytes.ts";
import { orientationOf } from "./exif.ts";
import { checkSize, damaged, Refusal } from "./refusal.ts";

/** What must be known of a picture before it is decoded. */
export interface Still {
  /** 1 to 8, as Exif counts. */
  orientation: number;
}

const EXIF = "Exif\0\0";

/** Reads the segments of a JPEG from its start to its end (ITU T.81, annex B). The decoder would fill what is missing with grey. @throws Refusal */
export function readJpeg(all: Uint8Array): Still {
  const bytes = new Bytes(all, 2);
  let orientation = 1;
  let sized = false;
  for (;;) {
    if (bytes.u8() !== 0xff) throw damaged("a JPEG has data between its segments");
    let marker = bytes.u8();
    while (marker === 0xff) marker = bytes.u8();
    if (marker === 0xd9) break;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) continue;
    const segment = new Bytes(bytes.take(bytes.u16() - 2));
    if (marker === 0xe1 && segment.left > 6 && segment.text(6) === EXIF) {
      orientation = orientationOf(segment.take(segment.left));
    } else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      if (sized) throw damaged("a JPEG has one size, and this one several");
      readFrame(segment);
      sized = true;
    } else if (marker === 0xda) skipEntropy(bytes);
  }
  if (!sized) throw damaged("a JPEG says its size, and this one does not");
  return { orientation };
}

function readFrame(segment: Bytes): void {
  segment.skip(1);
  const height = segment.u16();
  checkSize(segment.u16(), height);
  if (segment.u8() === 4) throw new Refusal("has the colours of a printing press (CMYK). Save it in RGB");
}

/** Moves behind coded pixels, to the next marker. 0xff 0x00 is a byte of them, and RST0 to RST7 stand between them. */
function skipEntropy(bytes: Bytes): void {
  for (;;) {
    const at = bytes.all.indexOf(0xff, bytes.at);
    if (at < 0 || at + 1 >= bytes.all.length) throw damaged("it ends too early");
    const next = bytes.all[at + 1] as number;
    bytes.at = next === 0xff ? at + 1 : at + 2;
    if (next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7)) continue;
    bytes.at = at;
    return;
  }
}

/** Reads the chunks of a PNG up to its end. @throws Refusal */
export function readPng(all: Uint8Array): Still {
  const bytes = new Bytes(all, 8);
  let orientation = 1;
  for (let first = true; ; first = false) {
    const length = bytes.u32();
    const name = bytes.text(4);
    const chunk = new Bytes(bytes.take(length));
    bytes.skip(4);
    if (first !== (name === "IHDR")) throw damaged("a PNG begins with its size");
    if (first) checkSize(chunk.u32(), chunk.u32());
    else if (name === "acTL") throw new Refusal("is an animated PNG. Save the animation as GIF or WebP");
    else if (name === "eXIf") orientation = orientationOf(chunk.all);
    else if (name === "IEND") return { orientation };
  }
}

/** Reads the properties of an AVIF (ISO/IEC 23008-12): the largest size, and how the picture is turned. @throws Refusal */
export function readAvif(all: Uint8Array): Still {
  const found = { orientation: 1, sized: false };
  walk(new Bytes(all), found, 0);
  if (!found.sized) throw damaged("an AVIF says its size, and this one does not");
  return found;
}

const HOLDS = new Set(["meta", "iprp", "ipco"]);
/** Counterclockwise quarter turns as orientations of Exif. */
const TURNS = [1, 8, 3, 6];

function walk(bytes: Bytes, found: Still & { sized: boolean }, depth: number): void {
  while (bytes.left >= 8) {
    const size = bytes.u32();
    const name = bytes.text(4);
    // 0: the rest of the file, 1: a size of 64 bits, which no image of 10 MB needs.
    if (size === 1 || (size !== 0 && size < 8)) throw damaged("a box of an AVIF has no size");
    const box = new Bytes(bytes.take(size === 0 ? bytes.left : size - 8));
    if (name === "meta") box.skip(4);
    if (HOLDS.has(name) && depth < 3) walk(box, found, depth + 1);
    else if (name === "ispe") {
      box.skip(4);
      checkSize(box.u32(), box.u32());
      found.sized = true;
    } else if (name === "irot") found.orientation = TURNS[box.u8() & 3] as number;
  }
}
