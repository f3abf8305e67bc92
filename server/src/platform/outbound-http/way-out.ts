import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction, connect, type Socket } from "node:net";
import { isPublicAddress } from "./addresses.ts";
import { OutboundError, translated } from "./errors.ts";

export interface WayOutOptions {
  /** ALLOW_PRIVATE_NETWORK: also addresses that are not on the public internet. */
  allowPrivate: boolean;
  /** The resolver; the system's unless given. */
  lookup?: typeof systemLookup;
}

/** What every kind of connection that leaves the house is made with: the one place that says where it may go. */
export interface WayOut {
  /** Whether this host may be connected to, where it is an address and no name. @throws OutboundError private_address */
  admit(host: string): void;
  /**
   * For the connection as Node makes it: gives only what may be connected to. The connection goes to what was checked, so a
   * name that points elsewhere a moment later gains nothing.
   */
  lookup: LookupFunction;
}

export function wayOut({ allowPrivate, lookup = systemLookup }: WayOutOptions): WayOut {
  return {
    // Node resolves no address, so `lookup` never hears of it.
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
 * A connection to a server that speaks no HTTP. Its errors are of whoever takes it over.
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
    // It stays: one that breaks before it is taken over must not end the process.
    socket.on("error", (error) => {
      clearTimeout(timer);
      reject(translated(error, false));
    });
  });
}

const refused = () =>
  new OutboundError(
    "private_address",
    "The address is not on the public internet; ALLOW_PRIVATE_NETWORK=true lets calls out reach it.",
    false,
  );
