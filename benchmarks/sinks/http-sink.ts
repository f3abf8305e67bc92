import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpSink {
  url: string;
  close(): void;
}

/** Starts a far end that answers by HTTP, on a free port of this machine. */
export async function startHttpSink(answer: RequestListener): Promise<HttpSink> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
