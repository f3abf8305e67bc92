import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A far end that takes each object of S3 and each insert of ClickHouse, and counts their bytes. */
export interface Store {
  url: string;
  bytes: number;
  close(): void;
}

/** Starts a store that reads what it gets and keeps nothing. */
export async function startStore(): Promise<Store> {
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => {
      store.bytes += chunk.length;
    });
    request.once("end", () => response.writeHead(200).end());
  });
  const store: Store = {
    url: "",
    bytes: 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  store.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return store;
}
