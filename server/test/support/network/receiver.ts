import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { atEnd } from "../wait.ts";

export interface Call {
  headers: IncomingHttpHeaders;
  body: string;
  /** The body, parsed. */
  event: { id: string; type: string; timestamp: string; data: Record<string, unknown> };
}

export interface Receiver {
  url: string;
  calls: Call[];
  /** The answer to a call; 204 by default. */
  answer: (response: ServerResponse, call: Call) => void;
  /** Returns the calls about one delivery, or of one kind. */
  of(what: string): Call[];
}

/** Starts a customer's server on a free port, as the remote end of a webhook. */
export async function receiver(): Promise<Receiver> {
  const calls: Call[] = [];
  const it: Receiver = {
    url: "",
    calls,
    answer: (response) => void response.writeHead(204).end(),
    of: (what) => calls.filter(({ event }) => event.type === what || event.data.delivery_id === what),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const call = { headers: request.headers, body, event: JSON.parse(body) };
      calls.push(call);
      it.answer(response, call);
    });
  });
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return it;
}

/** Whether the library that receivers use accepts this call. */
export function verifies(secret: string, call: Call): boolean {
  try {
    new Webhook(secret).verify(call.body, call.headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
