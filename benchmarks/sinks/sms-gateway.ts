import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a gateway for text messages that accepts each one (docs/providers.md, "http (sms)"). */
export async function startSmsGateway(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(202, { "content-type": "application/json" }).end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
