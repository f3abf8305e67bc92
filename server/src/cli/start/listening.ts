import { createServer } from "node:net";
import type { Config } from "../../platform/config.ts";
import { Refused } from "../terminal/refused.ts";

type Listening = Pick<Config, "host" | "port" | "operations">;

/** Returns the error for an address on which the service can't listen: the main one, or that of the operations port. */
export function listenRefused(error: unknown, config: Listening): unknown {
  const { code, port: failed } = error as NodeJS.ErrnoException & { port?: number };
  const { operations } = config;
  const inside = operations !== undefined && failed === operations.port && failed !== config.port;
  const { host, port } = inside ? operations : config;
  const prefix = inside ? "OPERATIONS_" : "";
  const where = `${host}:${port}`;
  if (code === "EADDRINUSE")
    return new Refused(`port ${port} is taken: another program listens on ${where}. Stop it, or set ${prefix}PORT`);
  if (code === "EACCES")
    return new Refused(`this user may not listen on ${where}: set ${prefix}PORT to one above 1023`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new Refused(`${prefix}HOST ${host} is not an address of this machine`);
  return error;
}

/** Checks the ports before the database starts, so that a taken port costs no start and stop of PostgreSQL. @throws Refused */
export async function assertFree(config: Listening): Promise<void> {
  await probe(config, config);
  if (config.operations) await probe(config.operations, config);
}

function probe({ host, port }: { host: string; port: number }, config: Listening): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => reject(listenRefused(error, config)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}
