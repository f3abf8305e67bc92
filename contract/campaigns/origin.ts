/**
 * Returns the origin of an address, such as `https://api.example.com`. It must be written without Liquid, so that the data of a person can't
 * choose who is called. Undefined where it is not.
 */
export function originOf(url: string): string | undefined {
  const [before = ""] = url.split(/\{[{%]/, 1);
  const [start] = /^https?:\/\/[^/?#\\\s@]+(?=[/?#]|$)/i.exec(before) ?? [];
  // Liquid that follows the host directly would continue its name.
  if (start === undefined || (start === before && before !== url) || !URL.canParse(start)) return undefined;
  return new URL(start).origin;
}
