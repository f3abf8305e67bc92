import { Refusal } from "./refusal.ts";

/** The kinds of images that are read. */
export type Kind = "png" | "jpeg" | "gif" | "webp" | "avif";

const begins = (bytes: Uint8Array, text: string, at = 0): boolean =>
  [...text].every((char, i) => bytes[at + i] === char.charCodeAt(0));

/** Tells the kind by the first bytes; what the file or its part of the request is called does not matter. @throws Refusal */
export function kindOf(bytes: Uint8Array): Kind {
  if (begins(bytes, "\x89PNG\r\n\x1a\n")) return "png";
  if (begins(bytes, "\xff\xd8\xff")) return "jpeg";
  if (begins(bytes, "GIF87a") || begins(bytes, "GIF89a")) return "gif";
  if (begins(bytes, "RIFF") && begins(bytes, "WEBP", 8)) return "webp";
  if (begins(bytes, "ftyp", 4)) return filmed(bytes);
  throw new Refusal(`${named(bytes)}. PNG, JPEG, GIF, WebP and AVIF are taken`);
}

/** The kind of a file in boxes, by its brands: the same boxes hold photos of iPhones and films. */
function filmed(bytes: Uint8Array): Kind {
  const length = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length, 256);
  const brands = [];
  for (let at = 8; at + 4 <= length; at += 4) brands.push(String.fromCharCode(...bytes.subarray(at, at + 4)));
  if (brands[0] === "avis") throw new Refusal("is an animated AVIF. Save the animation as GIF or WebP");
  if (brands.includes("avif")) return "avif";
  if (brands.some((brand) => /^(hei|hev|mif1|msf1)/.test(brand)))
    throw new Refusal("is a HEIC file, which most mail programs and browsers can't show. Export it as JPEG");
  throw new Refusal("is a film. PNG, JPEG, GIF, WebP and AVIF are taken");
}

function named(bytes: Uint8Array): string {
  const start = new TextDecoder().decode(bytes.subarray(0, 1_024)).trimStart().toLowerCase();
  if (start.includes("<svg"))
    return "is an SVG, which may contain scripts and which mail programs don't show. Export it as PNG";
  if (start.startsWith("<")) return "is a page and no image";
  if (begins(bytes, "%PDF")) return "is a PDF. Export the page as PNG";
  if (begins(bytes, "BM") || begins(bytes, "II*\0") || begins(bytes, "MM\0*"))
    return "is a BMP or TIFF. Export it as PNG";
  return "is of an unknown kind";
}
