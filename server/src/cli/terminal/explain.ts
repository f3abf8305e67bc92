import { ConfigError } from "../../platform/config.ts";
import { Problem } from "../../platform/http/index.ts";
import { Refused } from "./refused.ts";

/** What went wrong, as sentences for the person at the terminal. A stack helps only where the mistake is ours. */
export function explain(error: unknown, command?: string): string[] {
  if (error instanceof ConfigError) return error.problems;
  const { code, message, stack, path } = error as NodeJS.ErrnoException;
  if (code === "EACCES" && path)
    return [`this user can't open ${path}: run Tidings as the user it belongs to, or set another DATA_DIR`];
  if (code?.startsWith("ERR_PARSE_ARGS"))
    return [`${message.split(". ")[0]}. See \`npx tidings ${command ? `${command} --help` : "help"}\`.`];
  if (error instanceof Problem && error.cause) return [`${message} (${(error.cause as Error).message})`];
  // Errors of the file system, of sockets and of PostgreSQL carry a code; our own sentences are plain Errors.
  if (error instanceof Refused || error instanceof Problem || code || error?.constructor === Error) return [message];
  return [stack ?? String(error)];
}
