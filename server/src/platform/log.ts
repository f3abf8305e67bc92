import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";
import { onceASecond } from "./repeats.ts";

export type Log = Logger;

/** Logs carry an allow-list (route, ids, status, reasons), never bodies, keys or addresses. */
export function createLog(config: Pick<Config, "logLevel" | "logFormat">): Log {
  const options = { level: config.logLevel, base: null, hooks: { logMethod: onceASecond() } };
  if (config.logFormat === "json") return pino(options);
  return pino({
    ...options,
    transport: { target: "pino-pretty", options: { translateTime: "HH:MM:ss.l", ignore: "hostname,pid" } },
  });
}
