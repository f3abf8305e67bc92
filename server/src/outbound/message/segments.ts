// Counts the parts of a text message by 3GPP TS 23.038 (alphabet) and 23.040 (concatenation).

const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** Characters of two septets: an escape and the character. */
const EXTENDED = new Set("^{}\\[~]|€\f");

export interface Segments {
  encoding: "gsm7" | "ucs2";
  /** The number that network operators count and charge. */
  segments: number;
}

/** Returns how many parts a text needs: one part has 160 septets and each of several has 153, or 70 and 67 UTF-16 units. */
export function segmentsOf(text: string): Segments {
  const units = [...text].map((char) => (BASIC.has(char) ? 1 : EXTENDED.has(char) ? 2 : 0));
  if (!units.includes(0)) return { encoding: "gsm7", segments: parts(units, 160, 153) };
  return {
    encoding: "ucs2",
    segments: parts(
      [...text].map((char) => char.length),
      70,
      67,
    ),
  };
}

/** A character of two units is never split, so a part may end one unit early. */
function parts(units: number[], alone: number, each: number): number {
  if (units.reduce((sum, unit) => sum + unit, 0) <= alone) return 1;
  let count = 1;
  let used = 0;
  for (const unit of units) {
    if (used + unit > each) {
      count++;
      used = 0;
    }
    used += unit;
  }
  return count;
}
