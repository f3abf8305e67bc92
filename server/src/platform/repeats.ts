import { LRUCache } from "lru-cache";
import type { LoggerOptions } from "pino";

type Hook = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;

const WARN = 40;
const SECOND_MS = 1_000;
/** How many different errors are remembered; each further one is always written. */
const MOST = 1_000;

/**
 * Returns a hook for the log that writes a warning or an error with the same text and the same cause at most once a second. The next line
 * tells how many were left out (`repeated`). Otherwise a full disk or an unreachable database would write a line for each request, to the same disk.
 */
export function onceASecond(now: () => number = () => performance.now()): Hook {
  const written = new LRUCache<string, { at: number; repeated: number }>({ max: MOST });
  return function log(args, method, level) {
    const [fields, text] = args as unknown as [unknown, string | undefined];
    const cause = level >= WARN && typeof fields === "object" ? causeOf(fields) : undefined;
    if (cause === undefined) return method.apply(this, args);
    const name = `${text} ${cause}`;
    const last = written.get(name);
    if (last && now() - last.at < SECOND_MS) {
      last.repeated++;
      return;
    }
    written.set(name, { at: now(), repeated: 0 });
    const counted = last?.repeated ? { ...(fields as object), repeated: last.repeated } : fields;
    return method.apply(this, [counted, text] as unknown as typeof args);
  };
}

function causeOf(fields: object | null): string | undefined {
  const { err } = (fields ?? {}) as { err?: unknown };
  return err instanceof Error ? err.message : typeof err === "string" ? err : undefined;
}
