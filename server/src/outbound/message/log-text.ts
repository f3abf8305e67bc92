/** Returns a text of unknown origin as PostgreSQL accepts it: on one line of at most 300 characters, without NUL and half surrogate pairs. */
export const logText = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .slice(0, 300)
    .toWellFormed();
