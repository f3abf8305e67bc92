import { createServer } from "node:net";
import type { Config } from "../platform/config.ts";
import { Refused } from "./refused.ts";

/** The sentence for an address that can't be listened on. */
export function listenRefused(error: unknown, config: Pick<Config, "host" | "port">): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const where = `${config.host}:${config.port}`;
  if (code === "EADDRINUSE")
    return new Refused(`port ${config.port} is taken: another program listens on ${where}. Stop it, or set PORT`);
  if (code === "EACCES") return new Refused(`this user may not listen on ${where}: set PORT to one above 1023`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new Refused(`HOST ${config.host} is not an address of this machine`);
  return error;
}

/** Asks before the database starts, so that a taken port costs no start and stop of PostgreSQL. @throws Refused */
export function assertFree(config: Pick<Config, "host" | "port">): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => reject(listenRefused(error, config)));
    probe.listen({ host: config.host, port: config.port, exclusive: true }, () => probe.close(() => resolve()));
  });
}
