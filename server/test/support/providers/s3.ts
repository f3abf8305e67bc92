import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "../wait.ts";

const hex = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const mac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();

export interface S3Emulator {
  url: string;
  /** The files of the bucket by their names, with the headers they were put with. */
  files: Map<string, { body: Buffer; type: string | undefined; cache: string | undefined }>;
  /** Answers each call with this status instead, while it is set. */
  fails: number | undefined;
  /** Stores the next object and ends the connection without an answer. */
  hangsUp?: boolean;
}

/** A bucket, `images` unless named, with the API of Amazon S3: PutObject, GetObject and DeleteObject. It checks the signature as AWS does. */
export async function s3Emulator(id: string, secret: string, own = "images"): Promise<S3Emulator> {
  const it: S3Emulator = { url: "", files: new Map(), fails: undefined };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const fault = (status: number, code: string) =>
      response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    const [, bucket, name = ""] = /^\/([^/]+)\/(.+)$/.exec(request.url ?? "") ?? [];
    if (it.fails) return fault(it.fails, "SlowDown");
    if (!isSigned(request, body, id, secret)) return fault(403, "SignatureDoesNotMatch");
    if (bucket !== own) return fault(404, "NoSuchBucket");
    if (request.method === "PUT") {
      const { "content-type": type, "cache-control": cache } = request.headers;
      it.files.set(name, { body, type, cache });
      if (it.hangsUp) {
        it.hangsUp = false;
        return request.socket.destroy();
      }
      return response.writeHead(200).end();
    }
    if (request.method === "DELETE") {
      it.files.delete(name);
      return response.writeHead(204).end();
    }
    const found = it.files.get(name);
    if (!found) return fault(404, "NoSuchKey");
    return response.writeHead(200, { "content-type": found.type ?? "" }).end(found.body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  atEnd(() => new Promise((done) => server.close(() => done(undefined)).closeAllConnections()));
  it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return it;
}

/** The server's side of SigV4, computed from the request as it arrived. S3 also compares the digest of the body. */
function isSigned({ method, url = "", headers }: IncomingMessage, body: Buffer, id: string, secret: string): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w{64})$/;
  const [, key, day = "", region = "", signed = "", signature] = form.exec(headers.authorization ?? "") ?? [];
  const names = signed.split(";");
  if (key !== id || headers["x-amz-content-sha256"] !== hex(body)) return false;
  if (!["host", "x-amz-date", "x-amz-content-sha256"].every((name) => names.includes(name))) return false;
  const canonical = [method, url, "", ...names.map((name) => `${name}:${headers[name]}`), "", signed, hex(body)].join(
    "\n",
  );
  const text = `AWS4-HMAC-SHA256\n${headers["x-amz-date"]}\n${day}/${region}/s3/aws4_request\n${hex(canonical)}`;
  return (
    mac(mac(mac(mac(mac(`AWS4${secret}`, day), region), "s3"), "aws4_request"), text).toString("hex") === signature
  );
}
