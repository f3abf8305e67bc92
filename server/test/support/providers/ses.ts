import { createHash, createHmac } from "node:crypto";
import { emulator, must, type Reply, type Seen, type TakenEmail } from "./emulator.ts";
import { fromMime } from "./mime.ts";

const hex = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const mac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();
const no = (status: number, name: string, message: string): Reply => ({
  status,
  headers: { "x-amzn-errortype": `${name}:http://internal.amazon.com/coral/` },
  body: { message },
});

/** Amazon SES, API v2: SendEmail and GetAccount, with the signature checked as AWS does. */
export const sesEmulator = (id: string, secret: string, region: string) =>
  emulator<TakenEmail>(async (seen, take) => {
    const wrong = badSignature(seen, id, secret, region);
    if (wrong) return wrong;
    if (seen.method === "GET" && seen.url.pathname === "/v2/email/account")
      return { status: 200, body: { SendingEnabled: true, ProductionAccessEnabled: true } };
    if (seen.method !== "POST" || seen.url.pathname !== "/v2/email/outbound-emails")
      return no(404, "UnknownOperationException", "");
    const body = JSON.parse(seen.body.toString("utf8"));
    if (!body.Content?.Raw?.Data) return no(400, "BadRequestException", "Missing required content");
    const { ToAddresses = [], CcAddresses = [], BccAddresses = [] } = body.Destination;
    const tag = body.EmailTags?.find((entry: { Name: string }) => entry.Name === "delivery_id");
    must(/^[A-Za-z0-9_-]{1,256}$/.test(tag?.Value), "a tag of letters, digits, - and _");
    const everybody = [...ToAddresses, ...CcAddresses, ...BccAddresses];
    const mail = await fromMime(Buffer.from(body.Content.Raw.Data, "base64"), everybody, tag.Value);
    take({ ...mail, extra: { set: body.ConfigurationSetName } });
    return { status: 200, body: { MessageId: "0100018f-ses-000000" } };
  });

/** The server's side of SigV4, computed from the request as it arrived. */
function badSignature(seen: Seen, id: string, secret: string, region: string): Reply | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/ses\/aws4_request, SignedHeaders=([^,]+), Signature=(\w{64})$/;
  const [, key, day = "", zone = "", signed = "", signature] = form.exec(seen.headers.authorization ?? "") ?? [];
  if (!signature) return no(403, "IncompleteSignatureException", "Authorization header is incomplete");
  if (key !== id)
    return no(403, "UnrecognizedClientException", "The security token included in the request is invalid.");
  const names = signed.split(";");
  must(names.includes("host") && names.includes("x-amz-date"), "host and x-amz-date among the signed headers");
  const canonical = [
    seen.method,
    seen.url.pathname,
    "",
    ...names.map((name) => `${name}:${seen.headers[name]}`),
    "",
    signed,
    hex(seen.body),
  ].join("\n");
  const text = `AWS4-HMAC-SHA256\n${seen.headers["x-amz-date"]}\n${day}/${zone}/ses/aws4_request\n${hex(canonical)}`;
  const signing = mac(mac(mac(mac(`AWS4${secret}`, day), zone), "ses"), "aws4_request");
  if (zone === region && mac(signing, text).toString("hex") === signature) return undefined;
  return no(
    403,
    "InvalidSignatureException",
    "The request signature we calculated does not match the signature you provided.",
  );
}
