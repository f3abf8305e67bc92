import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "./config.ts";
import { onceASecond } from "./repeats.ts";
import type { OtherThread, Told } from "./threads/other-thread.ts";

export type Log = Logger;

const LOGGED: Told<string> = "log.line";

/**
 * Logs carry an allow-list (route, ids, status, reasons), never bodies, keys or addresses.
 * @param other the thread that writes the lines, if this one does not: see `writeLinesOf`
 */
export function createLog(config: Pick<Config, "logLevel" | "logFormat">, other?: Pick<OtherThread, "tell">): Log {
  const options = { level: config.logLevel, base: null, hooks: { logMethod: onceASecond() } };
  if (other) return pino(options, { write: (line) => other.tell(LOGGED, line) });
  if (config.logFormat === "json") return pino(options);
  return pino({
    ...options,
    transport: { target: "pino-pretty", options: { translateTime: "HH:MM:ss.l", ignore: "hostname,pid" } },
  });
}

/** Writes the lines of the other thread where those of this log go, in the order in which they arrive. */
export function writeLinesOf(other: Pick<OtherThread, "on">, log: Log): void {
  const stream = (log as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym];
  other.on(LOGGED, (line) => stream?.write(line));
}

/** Logs the rejections that nobody handles in this thread, which would otherwise end the process. */
export function logRejections(log: Log): void {
  process.on("unhandledRejection", (error) =>
    log.error({ err: error }, "a promise was rejected and nobody was waiting"),
  );
}
