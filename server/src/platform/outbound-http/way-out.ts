import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction, connect, type Socket } from "node:net";
import { isPublicAddress } from "./addresses.ts";
import { OutboundError, translated } from "./errors.ts";

export interface WayOutOptions {
  /** ALLOW_PRIVATE_NETWORK: also allow addresses that are not on the public internet. */
  allowPrivate: boolean;
  /** The resolver, by default the system's. */
  lookup?: typeof systemLookup;
}

/** The one place that decides which addresses an outgoing connection of any kind may reach. */
export interface WayOut {
  /** Checks a host that is an address. A name passes: `lookup` checks its addresses. @throws OutboundError private_address */
  admit(host: string): void;
  /**
   * Resolves a name, as Node's `lookup` option, to only those addresses that may be reached. The connection goes to a checked address,
   * so a name that points elsewhere a moment later can't circumvent the check.
   */
  lookup: LookupFunction;
}

export function wayOut({ allowPrivate, lookup = systemLookup }: WayOutOptions): WayOut {
  return {
    // Node does not resolve a host that is an address, so `lookup` is not called for it.
    admit(host) {
      if (isIP(host) !== 0 && !allowPrivate && !isPublicAddress(host)) throw refused();
    },
    lookup(hostname, options, done) {
      lookup(hostname, { ...options, all: true }, (error, found) => {
        if (error) return done(error, []);
        const allowed = allowPrivate ? found : found.filter(({ address }) => isPublicAddress(address));
        const [first] = allowed;
        if (!first) return done(refused() as NodeJS.ErrnoException, []);
        if (options.all) done(null, allowed);
        else done(null, first.address, first.family);
      });
    },
  };
}

/**
 * Connects to a server that does not speak HTTP. The caller handles the later errors of the socket.
 * @throws OutboundError and nothing else
 */
export function connectOut(
  out: WayOut,
  { host, port, timeoutMs }: { host: string; port: number; timeoutMs: number },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    out.admit(host);
    const socket = connect({ host, port, lookup: out.lookup });
    const late = () => socket.destroy(new OutboundError("timeout", "No connection could be made in time.", false));
    const timer = setTimeout(late, timeoutMs);
    socket.once("connect", () => {
      clearTimeout(timer);
      resolve(socket);
    });
    // This listener stays: a socket that breaks before the caller listens must not end the process.
    socket.on("error", (error) => {
      clearTimeout(timer);
      reject(translated(error, false));
    });
  });
}

const refused = () =>
  new OutboundError(
    "private_address",
    "The address is not on the public internet. To reach it, set ALLOW_PRIVATE_NETWORK=true.",
    false,
  );
