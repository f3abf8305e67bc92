import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";
import { atEnd } from "../wait.ts";

/** A proxy to PostgreSQL that can lose all bytes without closing a connection, as a firewall or a dead machine does. */
export interface Swallower {
  /** The address of the database through this proxy. */
  url: string;
  /** The connections that are open now lose all bytes; new ones work. */
  swallowOpen(): void;
  /** All connections lose all bytes, and new ones are accepted and not answered. */
  swallowAll(): void;
  /** New connections work again; earlier ones stay silent. */
  mend(): void;
  /** The number of connections opened so far. */
  opened(): number;
}

interface Pair {
  near: Socket;
  far: Socket | undefined;
  silent: boolean;
}

/** It ends with the test. */
export async function swallower(url: string): Promise<Swallower> {
  const { hostname, port } = new URL(url);
  const pairs: Pair[] = [];
  let all = false;
  const server: Server = createServer((near) => {
    const pair: Pair = { near, far: undefined, silent: all };
    pairs.push(pair);
    near.on("error", () => {});
    // Lost bytes are still read: the network loses them, so nobody's buffer fills up.
    near.on("data", (bytes) => pair.silent || pair.far?.write(bytes));
    if (all) return;
    const far = connect(Number(port || 5432), hostname);
    pair.far = far;
    far.on("error", () => {});
    far.on("data", (bytes) => pair.silent || near.write(bytes));
    // An end of the connection is lost, too.
    far.on("close", () => pair.silent || near.destroy());
    near.on("close", () => pair.silent || far.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    for (const { near, far } of pairs) {
      near.destroy();
      far?.destroy();
    }
    server.close();
  });
  const silence = () => {
    for (const pair of pairs) pair.silent = true;
  };
  return {
    url: Object.assign(new URL(url), { hostname: "127.0.0.1", port: String((server.address() as AddressInfo).port) })
      .href,
    swallowOpen: silence,
    swallowAll() {
      all = true;
      silence();
    },
    mend() {
      all = false;
    },
    opened: () => pairs.length,
  };
}
