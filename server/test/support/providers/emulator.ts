import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "../wait.ts";

/** A request as it arrived. */
export interface Seen {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: string | object;
}

/** What happens to a call instead of the API's own answer. */
export type Fault = "hang" | "reset" | "break" | "huge";

export interface Emulator<Taken> {
  url: string;
  /** Messages that it accepted. */
  taken: Taken[];
  calls: Seen[];
  /** Answers to the next calls, instead of its own. */
  next: (Reply | Fault)[];
}

/** Starts an emulator of a provider on a free port. `answer` is the API as documented: it checks a request and accepts or refuses it. */
export async function emulator<Taken>(
  answer: (seen: Seen, take: (message: Taken) => void) => Promise<Reply> | Reply,
): Promise<Emulator<Taken>> {
  const it: Emulator<Taken> = { url: "", taken: [], calls: [], next: [] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => {});
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const url = new URL(request.url ?? "/", it.url);
      const seen = { method: request.method ?? "", url, headers: request.headers, body: Buffer.concat(chunks) };
      it.calls.push(seen);
      const scripted = it.next.shift();
      if (typeof scripted === "string") return fail(response, scripted);
      try {
        reply(response, scripted ?? (await answer(seen, (message) => it.taken.push(message))));
      } catch (error) {
        // A check of the emulator itself failed: the test sees why.
        reply(response, { status: 418, body: String(error) });
      }
    });
  });
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return it;
}

function reply(response: ServerResponse, { status, headers, body = "" }: Reply): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { ...(typeof body === "object" && { "content-type": "application/json" }), ...headers });
  response.end(text);
}

function fail(response: ServerResponse, fault: Fault): void {
  response.on("error", () => {});
  if (fault === "reset") response.socket?.resetAndDestroy();
  if (fault === "break") {
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"id":', () => response.destroy());
  }
  if (fault === "huge") response.writeHead(200).end("x".repeat(10_000_000));
}

/** An email as an emulator understood it, alike for all of them. */
export interface TakenEmail {
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string | undefined;
  subject: string;
  text: string;
  html: string;
  /** In lower case. */
  headers: Record<string, string>;
  attachments: { name: string; text: string }[];
  deliveryId: unknown;
  /** Other parts that a test may check. */
  extra?: Record<string, unknown>;
}

export const decoded = (base64: string): string => Buffer.from(base64, "base64").toString("utf8");
export const lower = (headers: [string, string][]): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));

/** @throws Error naming what a request lacks: the test sees it as an answer of 418 */
export function must(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`the emulator misses: ${what}`);
}
