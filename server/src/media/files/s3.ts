import { webcrypto } from "node:crypto";
import type { S3Config } from "../../platform/config.ts";
import { Problem } from "../../platform/http/index.ts";
import { awsSigned, type FetchOut, type OutboundAnswer } from "../../platform/outbound-http/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { type MediaFiles, typeOf } from "./files.ts";

/** What is written of an image of 10 MB may be larger: a PNG of 25 megapixels is up to 100 MB. */
const MOST_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const FOREVER = "public, max-age=31536000, immutable";

/** Keeps files in a bucket of Amazon S3 or of a store with its API (Amazon S3 API Reference: PutObject, GetObject, DeleteObject). */
export function s3Files(s3: S3Config, { fetchOut, clock }: { fetchOut: FetchOut; clock: Clock }): MediaFiles {
  async function call(method: string, name: string, body?: Uint8Array): Promise<OutboundAnswer> {
    // The bucket stands in the path: the stores that others run have no name for each bucket.
    const url = new URL(`${s3.endpoint}/${s3.bucket}/${name}`);
    const bodySha256 = await sha256(body);
    const headers = awsSigned({
      method,
      url,
      headers: {
        "x-amz-content-sha256": bodySha256,
        ...(body && { "content-type": typeOf(name) ?? "application/octet-stream", "cache-control": FOREVER }),
      },
      bodySha256,
      region: s3.region,
      service: "s3",
      credentials: { access_key_id: s3.accessKeyId, secret_access_key: s3.secretAccessKey },
      now: clock.now(),
    });
    const { host: _, ...sent } = headers;
    try {
      return await fetchOut(url, {
        method,
        headers: sent,
        ...(body && { body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MOST_BYTES,
      });
    } catch (error) {
      throw unavailable("does not answer", error);
    }
  }
  const expect = ({ status, body }: OutboundAnswer, ...allowed: number[]): void => {
    if (!allowed.includes(status)) throw unavailable(`answered ${status}`, faultIn(body));
  };
  return {
    async write(name, bytes) {
      expect(await call("PUT", name, bytes), 200, 204);
    },
    async read(name) {
      const answer = await call("GET", name);
      // Without the right to list the bucket, S3 answers 403 for what is not there. The log would be full of scanners then.
      if (answer.status === 404 || (answer.status === 403 && faultIn(answer.body) === "AccessDenied")) return undefined;
      expect(answer, 200);
      return { bytes: answer.body, size: answer.body.length };
    },
    async remove(name) {
      expect(await call("DELETE", name), 200, 204, 404);
    },
  };
}

const sha256 = async (body: Uint8Array = new Uint8Array()): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest("SHA-256", body as never)).toString("hex");

/** The code of an error of S3, such as SignatureDoesNotMatch. It contains nothing secret. */
const faultIn = (body: Buffer): string => /<Code>(\w{1,80})<\/Code>/.exec(body.toString("utf8", 0, 4_096))?.[1] ?? "";

const unavailable = (what: string, cause: unknown): Problem =>
  new Problem("unavailable", "The store of the images does not work just now. Repeat the request later.", {
    headers: { "retry-after": "5" },
    cause: `the bucket ${what}: ${String(cause)}`,
  });
