import type { Server } from "node:http";
import { isIPv6, type Socket } from "node:net";
import type { Places } from "../places.ts";

/**
 * Bounds the connections of a server: it closes further ones at once, while it still has file descriptors for the database. The
 * connections of one address may have a bound too, for a service without a proxy in front; connections from this machine never have one.
 */
export function boundConnections(server: Server, { connections, connectionsOfOne }: Places): void {
  server.maxConnections = connections;
  if (connectionsOfOne === undefined) return;
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const from = clientOf(socket.remoteAddress ?? "");
    if (from === undefined) return;
    const mine = (open.get(from) ?? 0) + 1;
    if (mine > connectionsOfOne) {
      socket.destroy();
      return;
    }
    open.set(from, mine);
    socket.once("close", () => {
      const left = (open.get(from) ?? 1) - 1;
      if (left === 0) open.delete(from);
      else open.set(from, left);
    });
  });
}

/** Returns the client that an address belongs to, undefined for this machine. A household has 2^64 IPv6 addresses: they count as one client. */
export function clientOf(address: string): string | undefined {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (plain === "" || plain === "::1" || plain.startsWith("127.")) return undefined;
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.toLowerCase().split("%")[0]?.split("::") ?? [];
  const [before, after] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":"))) as [
    string[],
    string[],
  ];
  const groups =
    tail === undefined ? before : [...before, ...Array(8 - before.length - after.length).fill("0"), ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
