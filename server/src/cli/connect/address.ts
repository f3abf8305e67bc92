import { type Config, readConfig } from "../../platform/config.ts";
import { Refused } from "../terminal/refused.ts";

/**
 * Returns the address of the service that a command calls: that of `--url`, or else the one on which the service listens with the same
 * environment, so that `PORT=5000 npx tidings demo` finds `PORT=5000 npm start`.
 */
export function addressOf(url: string | undefined, config: () => Config = readConfig): string {
  if (url === undefined) return whereItListens(config());
  if (!URL.canParse(url)) throw new Refused(`--url ${url} is not an address such as http://localhost:4000`);
  return url.replace(/\/+$/, "");
}

function whereItListens({ host, port }: Config): string {
  if (port === 0) throw new Refused("PORT=0 takes a free port, which only the service knows: use --url");
  if (["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
