/** Why an image is not taken. `large`: it would be taken if it were smaller. The text completes "The image ...". */
export class Refusal extends Error {
  readonly large: boolean;
  constructor(text: string, large = false) {
    super(text);
    this.large = large;
  }
}

export const damaged = (what: string): Refusal => new Refusal(`is damaged or cut off: ${what}`);

/** The most pixels of one image: an iPhone takes photos of 24.5 megapixels. Decoded they take 100 MB. */
export const MOST_PIXELS = 25_000_000;
/** The most pixels of all frames of an animation: they take the thread 12 s at most. */
export const MOST_PIXELS_OF_FRAMES = 60_000_000;
export const MOST_FRAMES = 1_000;
/** WebP has 14 bits for a side. Other kinds of this length are no pictures for messages. */
const LONGEST_SIDE = 16_383;

/** @throws Refusal before anything is decoded, which is what makes a bomb of a few bytes harmless */
export function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw damaged("it has no pixels");
  if (width > LONGEST_SIDE || height > LONGEST_SIDE || width * height > MOST_PIXELS)
    throw new Refusal(
      `has ${width} x ${height} pixels. At most ${MOST_PIXELS / 1e6} megapixels and ${LONGEST_SIDE} pixels on a side are taken: make it smaller`,
      true,
    );
}

/** @throws Refusal for an animation with too many frames, or too many pixels in them */
export function checkFrames(frames: number, pixels: number): void {
  if (frames > MOST_FRAMES || pixels > MOST_PIXELS_OF_FRAMES)
    throw new Refusal(
      `is too long an animation: at most ${MOST_FRAMES} frames and ${MOST_PIXELS_OF_FRAMES / 1e6} megapixels in all frames together are taken`,
      true,
    );
}
