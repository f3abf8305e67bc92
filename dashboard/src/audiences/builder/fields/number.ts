/** Returns the number that a text is: with a comma or a point before its fraction. */
export function numberOf(text: string): number | undefined {
  const trimmed = text.trim();
  const plain = /^-?\d+,\d+$/.test(trimmed) ? trimmed.replace(",", ".") : trimmed;
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(plain)) return undefined;
  const number = Number(plain);
  return Number.isFinite(number) ? number : undefined;
}
