import { hash } from "node:crypto";

// Decides who is held out and who gets which variant. Both are computed from the sending and the person alone, and nothing is
// stored: a batch that another process repeats after a crash assigns everyone as before. The two decisions use different bytes
// of one hash, so they are independent: a change of the holdout moves nobody from one variant to another.

/** How a sending splits its people. */
export interface Split {
  /** 0 to 50, with two decimals. */
  holdoutPercent: number;
  /** Empty: everyone gets the same. */
  variants: readonly { name: string; weight: number }[];
}

/** The part of a split to which a person belongs. */
export interface Assignment {
  heldOut: boolean;
  /** The variant; for people who are held out, the one that they would get. Null without variants. */
  variant: string | null;
}

const RANGE = 2 ** 48;

/** Computes a person's part of a split. */
export function assignmentOf({ holdoutPercent, variants }: Split, splitBy: string, personKey: string): Assignment {
  if (holdoutPercent === 0 && variants.length === 0) return { heldOut: false, variant: null };
  const digest = hash("sha256", `split:${splitBy}:${personKey}`, "buffer");
  // In hundredths of a percent, because 12.34 is an integer there.
  const hundredths = Math.round(holdoutPercent * 100);
  return {
    heldOut: (digest.readUIntBE(0, 6) / RANGE) * 10_000 < hundredths,
    variant: variantAt(variants, digest.readUIntBE(6, 6) / RANGE),
  };
}

/** @param at from 0 to below 1 */
function variantAt(variants: Split["variants"], at: number): string | null {
  let left = at * variants.reduce((sum, { weight }) => sum + weight, 0);
  for (const { name, weight } of variants) {
    left -= weight;
    if (left < 0) return name;
  }
  return variants.at(-1)?.name ?? null;
}
