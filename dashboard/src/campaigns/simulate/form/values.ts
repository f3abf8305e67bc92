/** Returns the object that a text is as JSON; an empty one for no text, undefined for a text that is none. */
export function objectOf(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && !Array.isArray(read)
      ? (read as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
