// GSM 03.38: the characters of an SMS that holds 160 of them, and those that count as two.
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const TWICE = "^{}\\[~]|€\f";

export interface SmsParts {
  characters: number;
  parts: number;
  /** How many characters still fit into the last part. */
  left: number;
  /** A character because of which a part holds 70 characters and not 160. */
  wide: string | undefined;
}

/** Counts what a text costs as an SMS. */
export function smsParts(text: string): SmsParts {
  const wide = [...text].find((one) => !BASIC.includes(one) && !TWICE.includes(one));
  const characters = wide ? text.length : [...text].reduce((sum, one) => sum + (TWICE.includes(one) ? 2 : 1), 0);
  // A text of several parts needs room in each for its number.
  const [alone, each] = wide ? [70, 67] : [160, 153];
  const parts = characters <= alone ? 1 : Math.ceil(characters / each);
  return { characters, parts, left: (parts === 1 ? alone : parts * each) - characters, wide };
}
