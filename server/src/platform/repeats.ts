import { LRUCache } from "lru-cache";
import type { LoggerOptions } from "pino";

type Hook = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;

const WARN = 40;
const SECOND_MS = 1_000;
/** Different errors that are remembered; each of those beyond costs a line. */
const MOST = 1_000;

/**
 * A hook of the log: a warning or an error of the same words and the same cause is written once a second, and the next one tells how
 * many were not (`repeated`). A full disk or a database that is away would else write a line for each request, onto the same disk.
 */
export function onceASecond(now: () => number = () => performance.now()): Hook {
  const told = new LRUCache<string, { at: number; repeated: number }>({ max: MOST });
  return function log(args, method, level) {
    const [said, words] = args as unknown as [unknown, string | undefined];
    const cause = level >= WARN && typeof said === "object" ? causeOf(said) : undefined;
    if (cause === undefined) return method.apply(this, args);
    const name = `${words} ${cause}`;
    const last = told.get(name);
    if (last && now() - last.at < SECOND_MS) {
      last.repeated++;
      return;
    }
    told.set(name, { at: now(), repeated: 0 });
    const more = last?.repeated ? { ...(said as object), repeated: last.repeated } : said;
    return method.apply(this, [more, words] as unknown as typeof args);
  };
}

function causeOf(said: object | null): string | undefined {
  const { err } = (said ?? {}) as { err?: unknown };
  return err instanceof Error ? err.message : typeof err === "string" ? err : undefined;
}
