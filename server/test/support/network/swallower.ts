import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";
import { atEnd } from "../wait.ts";

/** A way to PostgreSQL that can lose what passes it, without closing anything: as a firewall or a dead machine does. */
export interface Swallower {
  /** The address of the database by this way. */
  url: string;
  /** Nothing passes the connections that are open now; new ones work. */
  swallowOpen(): void;
  /** Nothing passes any connection, and new ones are taken and not answered. */
  swallowAll(): void;
  /** From now on new connections work again; what was swallowed stays so. */
  mend(): void;
  /** Connections that were opened so far. */
  opened(): number;
}

interface Pair {
  near: Socket;
  far: Socket | undefined;
  silent: boolean;
}

/** Ended with the test. */
export async function swallower(url: string): Promise<Swallower> {
  const { hostname, port } = new URL(url);
  const pairs: Pair[] = [];
  let all = false;
  const server: Server = createServer((near) => {
    const pair: Pair = { near, far: undefined, silent: all };
    pairs.push(pair);
    near.on("error", () => {});
    // What is swallowed is read all the same: it is the network that loses it, nobody's buffer is full.
    near.on("data", (bytes) => pair.silent || pair.far?.write(bytes));
    if (all) return;
    const far = connect(Number(port || 5432), hostname);
    pair.far = far;
    far.on("error", () => {});
    far.on("data", (bytes) => pair.silent || near.write(bytes));
    // Not even an end gets through.
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
