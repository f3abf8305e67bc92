import { createHash, createHmac } from "node:crypto";

export interface Signing {
  method: string;
  url: URL;
  /** All headers to be signed, in lower case; host is added. */
  headers: Record<string, string>;
  /** SHA-256 of the body in hex. */
  bodySha256: string;
  region: string;
  service: string;
  credentials: { access_key_id: string; secret_access_key: string; session_token?: string };
  now: Date;
}

const sha256 = (data: string): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest();

/** RFC 3986: encodeURIComponent does not encode five characters that AWS wants encoded. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns the headers of a request to AWS with its signature (IAM User Guide, "Create a signed AWS API request", SigV4). */
export function signed({
  method,
  url,
  bodySha256,
  region,
  service,
  credentials,
  now,
  ...rest
}: Signing): Record<string, string> {
  const stamp = now.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = stamp.slice(0, 8);
  const headers: Record<string, string> = {
    ...rest.headers,
    host: url.host,
    "x-amz-date": stamp,
    ...(credentials.session_token !== undefined && { "x-amz-security-token": credentials.session_token }),
  };
  const names = Object.keys(headers).toSorted();
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).toSorted();
  const canonical = [
    method,
    url.pathname.split("/").map(encoded).join("/"),
    query.join("&"),
    ...names.map((name) => `${name}:${headers[name]?.trim().replace(/ +/g, " ")}`),
    "",
    names.join(";"),
    bodySha256,
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", stamp, scope, sha256(canonical)].join("\n");
  const key = [region, service, "aws4_request"].reduce<Buffer>(hmac, hmac(`AWS4${credentials.secret_access_key}`, day));
  const signature = createHmac("sha256", key).update(text).digest("hex");
  const credential = `${credentials.access_key_id}/${scope}`;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(";")}, Signature=${signature}`,
  };
}
