import { createPublicKey } from "node:crypto";
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { jwtVerify } from "jose";
import { atEnd } from "../wait.ts";
import { type Fault, must, type Reply } from "./emulator.ts";

export interface TakenApns {
  token: string;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it as it likes
  payload: any;
}

/** What Apple's service does with a call in addition to answering it. */
type Turn = Reply | Fault | "goaway" | "refuse";

/** Apple's push service over HTTP/2 without TLS: it checks the ES256 token, its age by `now`, and the headers. */
export async function apnsEmulator(publicPem: string, now: () => Date = () => new Date()) {
  const key = createPublicKey(publicPem);
  const sessions = new Set<ServerHttp2Session>();
  const it = {
    url: "",
    taken: [] as TakenApns[],
    calls: [] as TakenApns[],
    next: [] as Turn[],
    /** The number of connections so far. */
    connections: 0,
    endConnections: () => {
      for (const session of sessions) session.goaway(0);
    },
  };
  const server = createServer();
  atEnd(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  server.on("session", (session) => {
    it.connections++;
    sessions.add(session);
    session.on("error", () => {});
    session.on("close", () => sessions.delete(session));
  });
  server.on("stream", (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on("error", () => {});
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", async () => {
      const token = decodeURIComponent(String(headers[":path"]).replace("/3/device/", ""));
      const seen = { token, headers, payload: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
      it.calls.push(seen);
      const turn = it.next.shift();
      if (typeof turn === "string") return misbehave(stream, turn);
      const reply: Reply = turn ?? (await answer(seen).catch((error) => ({ status: 418, body: String(error) })));
      if (stream.destroyed) return;
      const id = headers["apns-id"];
      stream.respond({ ":status": reply.status, ...(id && { "apns-id": id }), ...reply.headers });
      stream.end(typeof reply.body === "object" ? JSON.stringify(reply.body) : reply.body);
    });
  });

  async function answer({ token, headers, payload }: TakenApns): Promise<Reply> {
    const no = (status: number, reason: string, more = {}): Reply => ({ status, body: { reason, ...more } });
    const jwt = /^bearer (.+)$/.exec(String(headers.authorization))?.[1];
    if (jwt === undefined) return no(403, "MissingProviderToken");
    const verified = await jwtVerify(jwt, key, { issuer: "TEAM123456", algorithms: ["ES256"] }).catch(() => undefined);
    if (verified?.protectedHeader.kid !== "KEY1234567") return no(403, "InvalidProviderToken");
    const age = now().getTime() / 1_000 - Number(verified.payload.iat);
    if (age > 3_600 || age < -60) return no(403, "ExpiredProviderToken");
    if (headers["apns-topic"] !== "com.acme.app") return no(400, "TopicDisallowed");
    if (token === "f".repeat(64)) return no(410, "Unregistered", { timestamp: now().getTime() + 1_000 });
    if (!/^[0-9a-f]{64,}$/.test(token) || /^0+$/.test(token)) return no(400, "BadDeviceToken");
    must(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(headers["apns-id"])), "an apns-id");
    must(headers["apns-push-type"] === "alert" && headers["apns-priority"] === "10", "type and priority");
    must(Number(headers["apns-expiration"]) > now().getTime() / 1_000, "an expiration");
    must(String(headers["apns-collapse-id"]).length <= 64, "a collapse id");
    must(payload.aps?.alert?.title !== undefined, "an alert");
    if (JSON.stringify(payload).length > 4_096) return no(413, "PayloadTooLarge");
    it.taken.push({ token, headers, payload });
    return { status: 200 };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return it;
}

function misbehave(stream: ServerHttp2Stream, turn: string): void {
  if (turn === "reset") stream.session?.socket.resetAndDestroy();
  if (turn === "refuse") stream.close(7);
  if (turn === "break") {
    stream.respond({ ":status": 200 });
    stream.write('{"reason":', () => stream.session?.socket.resetAndDestroy());
  }
  if (turn === "huge") {
    stream.respond({ ":status": 200 });
    stream.end("x".repeat(1_000_000));
  }
  // The last call was not processed.
  if (turn === "goaway") stream.session?.goaway(0, Math.max((stream.id ?? 1) - 2, 0));
}
