import { ConfigError } from "../../platform/config.ts";
import { Problem } from "../../platform/http/index.ts";
import { Refused } from "./refused.ts";

/** Returns what went wrong as sentences for the person at the terminal. A stack is added only to an unexpected error. */
export function explain(error: unknown, command?: string): string[] {
  if (error instanceof ConfigError) return error.problems;
  const { code, message, stack, path } = error as NodeJS.ErrnoException;
  if (code === "EACCES" && path)
    return [`this user can't open ${path}: run Tidings as the owner of the file, or set another DATA_DIR`];
  if (code?.startsWith("ERR_PARSE_ARGS"))
    return [`${message.split(". ")[0]}. See \`npx tidings ${command ? `${command} --help` : "help"}\`.`];
  if (error instanceof Problem && error.cause) return [`${message} (${(error.cause as Error).message})`];
  // Errors of the file system, of sockets and of PostgreSQL have a code; those of Tidings with a readable message are plain Errors.
  if (error instanceof Refused || error instanceof Problem || code || error?.constructor === Error) return [message];
  return [stack ?? String(error)];
}
