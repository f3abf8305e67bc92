import { webcrypto } from "node:crypto";
import type { Clock } from "../time/clock.ts";
import type { FetchOut, OutboundAnswer, OutboundRequest } from "./fetcher.ts";
import { signed } from "./sigv4.ts";

/** A bucket of Amazon S3 or of a store with its API. */
export interface S3Bucket {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface S3Call extends Pick<OutboundRequest, "timeoutMs" | "maxBytes" | "cut" | "signal"> {
  method: "PUT" | "GET" | "DELETE";
  /** The object's name: letters, digits and . _ - / only, because they are written alike in each way of encoding. */
  name: string;
  body?: Uint8Array;
  /** In lower case. */
  headers?: Record<string, string>;
}

/** Makes one call about an object (Amazon S3 API Reference: PutObject, GetObject, DeleteObject). @throws OutboundError */
export async function s3Call(
  { fetchOut, clock }: { fetchOut: FetchOut; clock: Clock },
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Bucket,
  { method, name, body, headers: given = {}, ...limits }: S3Call,
): Promise<OutboundAnswer> {
  // The bucket stands in the path: the stores that others run have no name for each bucket.
  const url = new URL(`${endpoint}/${bucket}/${name}`);
  const bodySha256 = await sha256(body);
  const { host: _, ...headers } = signed({
    method,
    url,
    headers: { "x-amz-content-sha256": bodySha256, ...given },
    bodySha256,
    region,
    service: "s3",
    credentials: { access_key_id: accessKeyId, secret_access_key: secretAccessKey },
    now: clock.now(),
  });
  return fetchOut(url, {
    method,
    headers,
    ...(body && { body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }),
    ...limits,
  });
}

const sha256 = async (body: Uint8Array = new Uint8Array()): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest("SHA-256", body as never)).toString("hex");

/** The code of an error of S3, such as SignatureDoesNotMatch. It contains nothing secret. */
export const s3Fault = (body: Buffer): string =>
  /<Code>(\w{1,80})<\/Code>/.exec(body.toString("utf8", 0, 4_096))?.[1] ?? "";
