import type { S3Config } from "../../platform/config.ts";
import { Problem } from "../../platform/http/index.ts";
import { type FetchOut, type OutboundAnswer, s3Call, s3Fault } from "../../platform/outbound-http/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { type MediaFiles, typeOf } from "./files.ts";

/** What is written of an image of 10 MB may be larger: a PNG of 25 megapixels is up to 100 MB. */
const MOST_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const FOREVER = "public, max-age=31536000, immutable";

/** Keeps files in a bucket of Amazon S3 or of a store with its API. */
export function s3Files(s3: S3Config, way: { fetchOut: FetchOut; clock: Clock }): MediaFiles {
  async function call(method: "PUT" | "GET" | "DELETE", name: string, body?: Uint8Array): Promise<OutboundAnswer> {
    const headers = { "content-type": typeOf(name) ?? "application/octet-stream", "cache-control": FOREVER };
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES };
    try {
      return await s3Call(way, s3, { method, name, ...(body && { body, headers }), ...limits });
    } catch (error) {
      throw unavailable("does not answer", error);
    }
  }

  const expect = ({ status, body }: OutboundAnswer, ...allowed: number[]): void => {
    if (!allowed.includes(status)) throw unavailable(`answered ${status}`, s3Fault(body));
  };

  return {
    async write(name, bytes) {
      expect(await call("PUT", name, bytes), 200, 204);
    },
    async read(name) {
      const answer = await call("GET", name);
      // Without the right to list the bucket, S3 answers 403 for what is not there. The log would be full of scanners then.
      if (answer.status === 404 || (answer.status === 403 && s3Fault(answer.body) === "AccessDenied")) return undefined;
      expect(answer, 200);
      return { bytes: answer.body, size: answer.body.length };
    },
    async remove(name) {
      expect(await call("DELETE", name), 200, 204, 404);
    },
  };
}

const unavailable = (what: string, cause: unknown): Problem =>
  new Problem("unavailable", "The store of the images does not work just now. Repeat the request later.", {
    headers: { "retry-after": "5" },
    cause: `the bucket ${what}: ${String(cause)}`,
  });
