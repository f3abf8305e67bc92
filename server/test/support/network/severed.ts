import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** The calls that passed a network that loses answers. */
export interface Severed {
  address: string;
  /** The requests that reached the service, in order, with their headers. */
  seen: { path: string; headers: Record<string, string | string[] | undefined>; body: string }[];
}

/**
 * Starts a proxy to the service that loses its first `answers`: each request is carried out, and then the connection ends as if the
 * network had failed. It ends with the test.
 */
export async function severed(target: string, answers: number): Promise<Severed> {
  const seen: Severed["seen"] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    seen.push({ path: incoming.url ?? "", headers: incoming.headers, body: body.toString() });
    const lost = seen.length <= answers;
    const onward = request(
      target + incoming.url,
      { method: incoming.method, headers: incoming.headers, agent: false },
      (answer) => {
        if (!lost) {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
          return;
        }
        answer.resume();
        answer.on("end", () => incoming.socket.destroy());
      },
    );
    onward.on("error", () => incoming.socket.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
