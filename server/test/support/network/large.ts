export const MIB = 1024 * 1024;

/** Returns a text of this size, which repeats `unit` between `before` and `after`. A comma at the end of the last unit is left out. */
export const filled = (size: number, before: string, unit: string, after: string): string =>
  `${before}${unit.repeat(Math.floor((size - before.length - after.length) / unit.length)).replace(/,$/, "")}${after}`;

/** Returns a file of this size, in base64. */
export const file = (size: number): string => "QUJD".repeat(size / 4);
