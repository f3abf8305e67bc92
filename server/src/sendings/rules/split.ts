import { hash } from "node:crypto";

// Who is held out and who gets which variant. Both follow from the sending and the person alone, and nothing is kept: a page
// that any process repeats after a crash puts everyone where they were. Each decision has its own number of one hash, so
// neither says anything about the other: another holdout moves nobody from one variant to another.

/** What a sending splits its people into. */
export interface Plan {
  /** 0 to 50, with two decimals. */
  holdoutPercent: number;
  /** None: everyone gets the same. */
  variants: readonly { name: string; weight: number }[];
}

export interface Place {
  heldOut: boolean;
  /** Also for those who are held out, as if they were not. Null without variants. */
  variant: string | null;
}

const RANGE = 2 ** 48;

/** Where a person falls. */
export function placeOf({ holdoutPercent, variants }: Plan, splitBy: string, personKey: string): Place {
  if (holdoutPercent === 0 && variants.length === 0) return { heldOut: false, variant: null };
  const digest = hash("sha256", `split:${splitBy}:${personKey}`, "buffer");
  // In hundredths of a percent, where 12.34 is a whole number.
  const hundredths = Math.round(holdoutPercent * 100);
  return {
    heldOut: (digest.readUIntBE(0, 6) / RANGE) * 10_000 < hundredths,
    variant: variantAt(variants, digest.readUIntBE(6, 6) / RANGE),
  };
}

/** @param at from 0 to below 1 */
function variantAt(variants: Plan["variants"], at: number): string | null {
  let left = at * variants.reduce((sum, { weight }) => sum + weight, 0);
  for (const { name, weight } of variants) {
    left -= weight;
    if (left < 0) return name;
  }
  return variants.at(-1)?.name ?? null;
}
