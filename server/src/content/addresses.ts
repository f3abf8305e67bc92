/**
 * Whether an address may be a deep link: any scheme except those that run as code in a web view. Browsers skip blanks and
 * control characters in a scheme.
 */
export function isDeepLink(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are skipped by browsers
  const scheme = value.replace(/[\u0000-\u0020\u007f-\u009f\u200b-\u200f\u2028\u2029\ufeff]/g, "").toLowerCase();
  return scheme !== "" && !/^(?:javascript|data|vbscript):/.test(scheme);
}

/** Whether an application may load an image from here. */
export function isImageAddress(value: string): boolean {
  if (/\s/.test(value) || value.length > 2_048) return false;
  try {
    return /^https?:$/.test(new URL(value).protocol);
  } catch {
    return false;
  }
}
