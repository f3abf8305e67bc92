import type { DestinationCredentials, DestinationSettings } from "@tidings/contract/destinations";
import { newId } from "../../platform/ids.ts";
import { type FetchOut, type S3Call, s3Call, s3Fault } from "../../platform/outbound-http/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { answered, type FarEnd, TIMEOUT_MS } from "./far-end.ts";
import { FORMATS } from "./formats.ts";

/** Returns the address of the store. */
export const endpointOf = ({ endpoint, region }: DestinationSettings["s3"]): string =>
  (endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, "");

/** Writes each batch as one object: `<prefix>/<table>/<day>/<name>.<format>`. A repeat replaces the object. */
export function s3FarEnd(
  way: { fetchOut: FetchOut; clock: Clock },
  settings: DestinationSettings["s3"],
  credentials: DestinationCredentials["s3"],
): FarEnd {
  const { bucket, region, prefix, format = "ndjson.gz" } = settings;
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = credentials;
  const store = { endpoint: endpointOf(settings), bucket, region, accessKeyId, secretAccessKey };
  const at = (name: string) => (prefix === undefined ? name : `${prefix}/${name}`);

  async function call(made: S3Call, ...expected: number[]): Promise<void> {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: 16_384, cut: true };
    await answered(s3Call(way, store, { ...made, ...limits }), {
      expected,
      said: ({ body }) => s3Fault(body),
      now: way.clock.now(),
    });
  }

  const { type, begin } = FORMATS[format];
  return {
    begin,
    async send({ table, day, name, body, signal }) {
      const object = at(`${table}/${day}/${name}.${format}`);
      const headers = { "content-type": type };
      await call({ method: "PUT", name: object, body, headers, signal }, 200, 204);
    },
    async test() {
      const name = at(`tidings-test-${newId()}.txt`);
      const headers = { "content-type": "text/plain" };
      await call({ method: "PUT", name, body: Buffer.from("Tidings can write here.\n"), headers }, 200, 204);
      await call({ method: "DELETE", name }, 200, 204, 404);
    },
  };
}
