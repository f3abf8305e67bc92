import type { Server } from "node:http";
import { isIPv6, type Socket } from "node:net";
import type { Places } from "../places.ts";

/**
 * Bounds the connections of a server: beyond them it closes new ones at once, while it still has descriptors for the database. One
 * address may be bounded as well, where no proxy stands between; the machine itself never is.
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

/** Whom an address stands for, undefined for this machine. Of IPv6 a household has 2^64: they count as one. */
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
