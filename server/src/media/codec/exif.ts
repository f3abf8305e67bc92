import { Bytes } from "./bytes.ts";

/** The tag of the orientation in Exif 2.32, 4.6.4. */
const ORIENTATION = 0x0112;

/**
 * Reads how a picture must be turned from its Exif data, which is a TIFF: 1 to 8, 1 where it is upright. Broken data says nothing:
 * programs show such a picture as it is stored.
 */
export function orientationOf(exif: Uint8Array): number {
  try {
    const tiff = exif[0] === 0x45 ? exif.subarray(6) : exif;
    const bytes = new Bytes(tiff);
    const little = bytes.text(2) === "II";
    if (bytes.u16(little) !== 42) return 1;
    bytes.at = bytes.u32(little);
    for (let left = bytes.u16(little); left > 0; left--) {
      const tag = bytes.u16(little);
      bytes.skip(6);
      const value = bytes.u16(little);
      bytes.skip(2);
      if (tag === ORIENTATION) return value >= 1 && value <= 8 ? value : 1;
    }
  } catch {
    return 1;
  }
  return 1;
}
