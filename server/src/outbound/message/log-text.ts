/** A stranger's words as PostgreSQL takes them: on one line, without NUL and without half a surrogate pair. */
export const logText = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .slice(0, 300)
    .toWellFormed();
